import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

/** The command line from its packed file, in a folder that has nothing else: no clone, no network. */
const cli = resolve(import.meta.dirname, '../../packages/cli')
const folder = mkdtempSync(join(tmpdir(), 'scrim-install-'))
const npm = (...args: string[]) =>
  execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
const scrim = (...args: string[]) => {
  const bin = join(folder, 'node_modules/scrim/bin/scrim.js')
  return execFileSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, SCRIM_CACHE: folder },
  })
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('installs from a packed file, starts at once, and assesses on threads, with charts', () => {
  const packed = npm('pack', cli, '--silent').trim()
  npm('install', join(folder, packed), '--offline', '--no-audit', '--no-fund')
  const { version } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8')) as { version: string }
  expect(scrim('--version')).toBe(`${version}\n`)
  expect(startedFiles()).toBeLessThan(60_000)

  const rows = Array.from(
    { length: 60 },
    (_, k) => `${'fm'[k % 2]},${20 + ((k * 7) % 40)},${['low', 'high'][(k * k) % 2]}`,
  )
  writeFileSync(join(folder, 'o.csv'), `sex,age,income\n${rows.join('\n')}\n`)
  writeFileSync(join(folder, 'r.csv'), `sex,age,income\n${rows.slice(7).join('\n')}\n`)
  const out = scrim(
    'assess',
    'o.csv',
    'r.csv',
    '--keys',
    'sex,age',
    '--target',
    'income',
    '--measures',
    'rapid,k-anonymity',
    '--threads',
    '2',
    '--charts',
    'c',
  )
  expect(out).toContain('o.csv (60 records) and r.csv')
  expect(readFileSync(join(folder, 'c/rapid-attackers.svg'), 'utf8')).toContain('<svg')
  expect(scrim('help', 'k-anonymity')).toContain('k-anonymity')
})

/** Bytes of scrim that are read before a command is known: they are what `scrim --version` waits for. */
function startedFiles(): number {
  const bundle = join(folder, 'node_modules/scrim/bundle')
  const seen = new Set<string>()
  const follow = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, next] of readFileSync(join(bundle, file), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      follow(next)
  }
  follow('main.js')
  return [...seen].reduce((sum, file) => sum + readFileSync(join(bundle, file)).length, 0)
}
