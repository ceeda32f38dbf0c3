import { defineConfig } from 'vitest/config'

/** Run by `npm run test:engines`, with the engines installed and started. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/engines/live/*.live.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // The engines are there once.
    fileParallelism: false,
  },
})
