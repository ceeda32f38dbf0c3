import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The levels of judgement have one home, `core/src/stats/levels.ts`: a number there changes every test, bound and interval. */
const packages = resolve(import.meta.dirname, '../../packages')
const HOME = join('core', 'src', 'stats', 'levels.ts')

const LEVELS_BY_HAND: readonly (readonly [string, RegExp])[] = [
  ['the z of a one-sided bound', /Quantile\(\s*0\.95\b|\b1\.64[45]/],
  ['the z of a two-sided interval', /Quantile\(\s*0\.975\b|\b1\.9599/],
  ['a p compared with a number', /(?:\bp|P|pValue)\s*[<>]=?\s*0?\.05\b/],
  ['a level as a number', /\b(?:level|LEVEL|SIGNIFICANCE|BOUND|BOUNDS_LEVEL|BOUND_LEVEL)\s*[=:]\s*0?\.(?:05|9|95)\b/],
  ['an interval between quantiles', /\[\s*0\.025\s*,\s*0\.975\s*\]/],
]

const byHand = (code: string) => LEVELS_BY_HAND.filter(([, pattern]) => pattern.test(code)).map(([what]) => what)

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

it('are written nowhere else', () => {
  const found = readdirSync(packages)
    .flatMap((name) =>
      readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
        .map((file) => join(packages, name, 'src', file)),
    )
    .filter((file) => relative(packages, file) !== HOME)
    .flatMap((file) =>
      withoutComments(readFileSync(file, 'utf8'))
        .split('\n')
        .flatMap((line) => byHand(line).map((what) => `${relative(packages, file)}: ${what}: ${line.trim()}`)),
    )
  expect(found).toEqual([])
})

describe('the search for them', () => {
  it.each([
    'const BOUND_Z = normalQuantile(0.95)',
    'const t = studentTQuantile(0.975, n - 1)',
    'const UPPER = 1.6448536269514722',
    'status: p < 0.05 ? "differs" : "same"',
    'alarm: adjustedP < 0.05,',
    'const LEVEL = 0.95',
    'return { lower, upper, level: 0.95 }',
    'quantiles(draws, [0.025, 0.975])',
  ])('finds %s', (code) => {
    expect(byHand(code)).toHaveLength(1)
  })

  it.each(['quantile(values, 0.95)', 'top < 0.05', '{ value: 0.05, meaning: "low" }'])('leaves %s', (code) => {
    expect(byHand(code)).toEqual([])
  })
})
