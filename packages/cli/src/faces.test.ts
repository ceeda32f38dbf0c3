import type { NextStep } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { assessCall, type Face, faceOf, stepText, withArguments } from './faces.js'
import { PEOPLE, workplace } from './testing/run.js'

const STEPS: readonly NextStep[] = [
  { code: 'give-keys' },
  { code: 'give-target' },
  { code: 'take-guess', keys: ['sex', 'age in years'], target: ['income'] },
  { code: 'give-holdout' },
  { code: 'say-type' },
  { code: 'find-columns' },
  { code: 'ask-advice' },
  { code: 'show-measures' },
]

describe('the next steps', () => {
  const texts = (face: Face) => STEPS.map((step) => stepText(step, face))

  it('are flags and commands in a shell', () => {
    expect(texts('shell').map((text) => text.split(': ')[0])).toEqual([
      '--keys a,b',
      '--target t',
      "for example --keys 'sex,age in years' --target income",
      '--holdout FILE',
      '--type synthetic or --type perturbed',
      '--why',
      'scrim advise with the same files and roles',
      '--full',
    ])
  })

  it('are arguments and functions in R', () => {
    expect(texts('r').map((text) => text.split(': ')[0])).toEqual([
      'keys =',
      'target =',
      'for example keys = c("sex", "age in years"), target = "income"',
      'holdout =',
      'type = "synthetic" or type = "perturbed"',
      'why = TRUE',
      'scrim_advise() with the same arguments',
      '$measures',
    ])
  })

  it('are arguments and functions in Python', () => {
    expect(texts('python').map((text) => text.split(': ')[0])).toEqual([
      'keys=',
      'target=',
      'for example keys=["sex", "age in years"], target="income"',
      'holdout=',
      'type="synthetic" or type="perturbed"',
      'why=True',
      'scrim.advise() with the same arguments',
      '.measures',
    ])
  })
})

it('calls assess with the roles that are guessed', () => {
  const roles = { keys: ['sex', 'age'], target: ['income'], weight: 'w' }
  expect((['shell', 'r', 'python'] as const).map((face) => assessCall('people', roles, face))).toEqual([
    'scrim assess people RELEASED --keys sex,age --target income --weight w',
    'scrim_assess(people, released, keys = c("sex", "age"), target = "income", weight = "w")',
    'scrim.assess(people, released, keys=["sex", "age"], target="income", weight="w")',
  ])
})

it('calls flags by the names of arguments in what went wrong', () => {
  const sentence = '--single-out must be a number, found "--none"'
  expect(withArguments(sentence, 'python')).toBe('single_out must be a number, found "--none"')
  expect(withArguments(sentence, 'shell')).toBe(sentence)
})

it('is that of a package where the environment says so', () => {
  const faces = ['r', 'python', 'other', undefined].map((face) => faceOf({ SCRIM_FACE: face }))
  expect(faces).toEqual(['r', 'python', 'shell', 'shell'])
})

describe('what R is told', () => {
  it('has no flags: next steps of an assessment', async () => {
    const { run } = workplace(PEOPLE)
    const quick = 'assess original.csv released.csv --type synthetic --profile quick --risk-only'
    const { out } = await run(quick, { face: 'r' })
    expect(out).toContain('- keys =: what an attacker may know')
    expect(out).toContain('- for example keys = c("sex", "age"), target = "income": a guess; scrim_keys() says why')
    expect(out).toContain('- holdout =: people who were not used to make the release')
    expect(out).not.toMatch(/ --[a-z]/)
    expect((await run(quick)).out).toContain('- --holdout FILE: people who were not used')
  })

  it('has no commands: columns that may be keys', async () => {
    const { out } = await workplace(PEOPLE).run('keys original.csv', { face: 'r' })
    expect(out).toContain('Next:\n  scrim_assess(original.csv, released, keys = c("sex", "age"), target = "income"')
    expect(out).not.toMatch(/ --[a-z]|scrim init/)
  })

  it('has no flags: what a measure needs', async () => {
    const { err } = await workplace(PEOPLE).run('measure disco original.csv released.csv', { face: 'r' })
    expect(err).toContain('disco needs key variables (keys =) and a target (target =)')
    expect(err).toContain('; a guess is keys = c("sex", "age"), target = "income"')
  })
})
