// Reads 5,000 damaged files of all formats: each must give a table or a sentence within 10 s. Part of npm run validate.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { status } = spawnSync('npx', ['vitest', 'run', 'packages/cli/src/damaged-files.test.ts'], {
  cwd: root,
  env: { ...process.env, SCRIM_DAMAGED_FILES: '5000' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
