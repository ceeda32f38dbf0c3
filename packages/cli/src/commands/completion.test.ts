import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../commands.js'
import { workplace } from '../testing/run.js'

describe('scrim completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command, its flags and the measures', async (shell) => {
    const { code, out } = await workplace().run(`completion ${shell}`)
    expect(code).toBe(0)
    for (const { name } of COMMANDS) expect(out).toContain(name)
    expect(out).toContain('k-anonymity')
    expect(out).toMatch(/(--|-l )help-all/)
  })

  it('completes in bash', async () => {
    const { out } = await workplace().run('completion bash')
    const complete = (...words: readonly string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${out}\nCOMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}; _scrim; echo "\${COMPREPLY[@]}"`,
        ],
        {
          encoding: 'utf8',
        },
      ).stdout.trim()
    expect(complete('scrim', 'asse')).toBe('assess')
    expect(complete('scrim', 'assess', '--hold')).toBe('--holdout')
    expect(complete('scrim', 'measure', 'k-a')).toBe('k-anonymity')
  })

  it('suggests the nearest shell', async () => {
    expect((await workplace().run('completion fisch')).err).toBe('scrim: unknown shell "fisch"; did you mean "fish"?\n')
  })
})
