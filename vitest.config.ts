import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST =
  /\/(measures|demo|docs|adversarial|honest|learners|adult|assess|assessment|buyer-beware|[a-z-]+-browser|r-package)\.test\.ts$/

/** So that no core waits at the end for a long test of another. A fresh clone knows no times, only sizes, so these are named. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    // For a hang alone: a machine with other work takes ten times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // One per core: the default leaves one core idle, which is half of a small machine.
    maxWorkers: '100%',
    // No test changes what another sees, and loading all of core for each file anew costs as much as a sixth of the tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
