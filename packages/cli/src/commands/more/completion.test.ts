import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../commands.js'
import { workplace } from '../../testing/run.js'

/** A line as it is typed, and what it may become. */
const COMPLETIONS: readonly (readonly [string, string])[] = [
  ['asse', 'assess'],
  ['assess --hold', '--holdout'],
  ['assess --type ', 'synthetic perturbed unknown'],
  ['assess --audience i', 'internal'],
  ['measure k-a', 'k-anonymity'],
  ['outputs ', 'check request'],
  ['policy ', 'init'],
  ['study r', 'rapid'],
  ['anonymise --method pr', 'pram'],
  ['synthesise --method ctr', 'ctree'],
  ['assess --seed ', ''],
  ['assess peop', 'people.csv'],
]

/** Prints what the shell would offer. */
const ASK = {
  bash: (script: string, line: string) =>
    `source ${script}; line='scrim ${line}'; read -ra COMP_WORDS <<< "$line"; [[ $line == *' ' ]] && COMP_WORDS+=('')
     COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _scrim; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script: string, line: string) =>
    `compdef() { : }; compset() { : }; compadd() { shift; print -l -- \${(M)@:#\${words[CURRENT]}*} }
     _files() { print -l -- \${words[CURRENT]}*(N) }
     source ${script}; words=("\${(@s: :)$(print -n 'scrim ${line}.')}"); words[-1]=\${words[-1]%.}; CURRENT=$#words; _scrim`,
  fish: (script: string, line: string) => `source ${script}; complete -C 'scrim ${line}' | cut -f1`,
}
type Shell = keyof typeof ASK

const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0

describe('scrim completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command, its flags and the measures', async (shell) => {
    const { code, out } = await workplace().run(`completion ${shell}`)
    expect(code).toBe(0)
    for (const { name } of COMMANDS) expect(out).toContain(name)
    expect(out).toContain('k-anonymity')
    expect(out).toMatch(/(--|-l )help-all/)
  })

  describe.each(['bash', 'zsh', 'fish'] as const)('in %s', (shell) => {
    it.skipIf(!isInstalled(shell))('completes', async () => {
      const { run, folder } = workplace({ 'people.csv': '' })
      writeFileSync(join(folder, 'script'), (await run(`completion ${shell}`)).out)
      for (const [line, expected] of COMPLETIONS) {
        const { stdout, stderr } = spawnSync(shell, ['-c', ASK[shell]('./script', line)], {
          encoding: 'utf8',
          cwd: folder,
        })
        expect([
          line,
          ...stdout
            .split('\n')
            .filter((word) => word !== '')
            .sort(),
          stderr,
        ]).toEqual([
          line,
          ...expected
            .split(' ')
            .filter((word) => word !== '')
            .sort(),
          '',
        ])
      }
    })
  })

  describe.each(['bash', 'fish'] as const)('in %s', (shell) => {
    it.skipIf(!isInstalled(shell))('completes the last of a list', async () => {
      const { run, folder } = workplace()
      writeFileSync(join(folder, 'script'), (await run(`completion ${shell}`)).out)
      const ask = ASK[shell]('./script', 'assess --measures k-anonymity,dca')
      expect(spawnSync(shell, ['-c', ask], { encoding: 'utf8', cwd: folder }).stdout).toBe('k-anonymity,dcap\n')
    })
  })

  it('suggests the nearest shell', async () => {
    expect((await workplace().run('completion fisch')).err).toBe('scrim: unknown shell "fisch"; did you mean "fish"?\n')
  })
})
