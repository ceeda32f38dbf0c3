import { defineConfig } from 'vitest/config'

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
  },
})
