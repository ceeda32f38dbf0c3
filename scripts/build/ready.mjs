// Makes a fresh clone ready: installs when node_modules is missing or older than the lock file, then builds.
// Runs on nothing but Node and npm. Not `npm ci`: it refuses a lock file that lacks the binaries of other platforms.
// `--install` stops before the build.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
const modified = (file) => (existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : -1)

if (modified('node_modules/.package-lock.json') < modified('package-lock.json'))
  run('npm', 'install', '--no-save', '--no-progress')
if (!process.argv.includes('--install')) {
  run('npx', 'tsc', '-b')
  run(process.execPath, 'scripts/build/bundle.mjs')
}
