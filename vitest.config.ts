import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'], testTimeout: 60_000 },
})
