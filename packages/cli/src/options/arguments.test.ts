import { UserError } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { commaList, type Flags, parseArguments, realNumber, wholeNumber } from './arguments.js'

const FLAGS: Flags = {
  keys: { value: 'a,b', help: 'key variables' },
  set: { value: 'option=value', repeat: true, help: 'an option' },
  out: { value: 'FILE', short: 'o', help: 'file to write' },
  json: { prints: true, help: 'print JSON' },
  force: { help: 'overwrite' },
}

function problemsOf(...words: string[]): readonly string[] {
  try {
    parseArguments(words, FLAGS)
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

describe('the words of a command', () => {
  it('are files, switches and flags with values, in any order', () => {
    const args = parseArguments(['a.csv', '--keys', 'sex,age', '-o', 'out.csv', 'b.csv', '--force'], FLAGS)
    expect(args.positionals).toEqual(['a.csv', 'b.csv'])
    expect([args.text('keys'), args.text('out'), args.has('force'), args.has('json')]).toEqual([
      'sex,age',
      'out.csv',
      true,
      false,
    ])
  })

  it('keep the order of a flag that is repeated', () => {
    expect(parseArguments(['--set', 'k=3', '--set=k=5'], FLAGS).texts('set')).toEqual(['k=3', 'k=5'])
  })

  it('have a file of standard input, but none where a switch already prints', () => {
    expect(parseArguments(['a.csv', '-'], FLAGS).positionals).toEqual(['a.csv', '-'])
    expect(parseArguments(['a.csv', '--json', '-'], FLAGS).positionals).toEqual(['a.csv'])
    expect(parseArguments(['a.csv', '--force', '-'], FLAGS).positionals).toEqual(['a.csv', '-'])
  })

  it('after -- are files, whatever they look like', () => {
    expect(parseArguments(['--', '--keys'], FLAGS).positionals).toEqual(['--keys'])
  })

  it('are all looked at before anything is refused', () => {
    expect(problemsOf('--key', 'sex', '--force=yes', '--keys', 'a', '--keys', 'b', '--out')).toEqual([
      'unknown option --key; did you mean --keys?',
      '--force takes no value, found "yes"',
      '--keys is given more than once',
      '--out needs a value: --out FILE',
    ])
  })

  it('do not lose a flag as the value of the one before', () => {
    expect(problemsOf('--keys', '--force')).toEqual(['--keys needs a value: --keys a,b'])
    expect(problemsOf('--keys=--force')).toEqual([])
  })

  it('name options of measures by --set', () => {
    expect(problemsOf('-z')).toEqual(['unknown option -z; see --help, and --set z=... for an option of a measure'])
    expect(problemsOf('--constructor')).toHaveLength(1)
  })
})

it('numbers are whole, finite and there', () => {
  expect([wholeNumber('--n', '12'), realNumber('--share', '-0.5'), realNumber('--share', '1e3')]).toEqual([
    12, -0.5, 1000,
  ])
  for (const text of ['', ' ', '1.5', 'ten', '1e20']) expect(() => wholeNumber('--n', text)).toThrow(/whole number/)
  for (const text of ['', 'Infinity', '1,5']) expect(() => realNumber('--share', text)).toThrow(/must be a number/)
})

it('lists are parted at commas, names keep what is inside', () => {
  expect(commaList([' age group ,sex,', 'region'])).toEqual(['age group', 'sex', 'region'])
})
