import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anonymisers } from './anonymisers/anonymisers.js'
import { UserError } from './errors.js'
import { learners } from './learners/learners.js'
import { measures } from './measures.js'
import { parseNamed, parseOptions } from './options.js'
import { synthesizers } from './synthesizers/synthesizers.js'

const schema = z.object({
  k: z.number().int().min(2).default(3),
  share: z.number().gt(0).lt(1).default(0.5),
  level: z.number().gt(0).max(1).default(1),
  most: z.number().int().min(1).max(10).optional(),
  small: z.number().lt(5).optional(),
  positive: z.number().positive().optional(),
  seed: z.int().optional(),
  mode: z.enum(['exact', 'fast', 'slow']).default('exact'),
  mtry: z.union([z.literal('sqrt'), z.number().int().min(1)]).default('sqrt'),
  depth: z.number().int().min(0).nullable().default(null),
  prune: z.boolean().default(true),
  label: z.string().default(''),
  name: z.string().min(1).optional(),
  keys: z.array(z.string()).min(1).readonly().optional(),
  bounds: z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()])).optional(),
  smoothing: z.union([z.enum(['none', 'spline']), z.record(z.string(), z.enum(['none', 'spline']))]).optional(),
  groups: z.union([z.number().int().min(2), z.record(z.string(), z.number().int().min(2))]).optional(),
  exclude: z.record(z.string(), z.array(z.number()).readonly()).optional(),
  rules: z.array(z.object({ when: z.string(), value: z.union([z.string(), z.number(), z.null()]) })).optional(),
  strict: z.strictObject({ first: z.number(), second: z.number() }).optional(),
  hyper: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, { message: 'must be even' })
    .optional(),
})

function problems(given: object): readonly string[] {
  try {
    parseOptions('owner', schema, given)
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

describe('what is right', () => {
  it('comes back with the defaults', () => {
    expect(parseOptions('owner', schema, { k: 5, mode: 'fast' })).toEqual({
      k: 5,
      share: 0.5,
      level: 1,
      mode: 'fast',
      mtry: 'sqrt',
      depth: null,
      prune: true,
      label: '',
    })
  })
})

describe('what is wrong is told with what was expected', () => {
  it.each<[object, string]>([
    [{ k: 'abc' }, 'option "k" must be a whole number of at least 2, found "abc"'],
    [{ k: 2.5 }, 'option "k" must be a whole number of at least 2, found 2.5'],
    [{ k: 1 }, 'option "k" must be a whole number of at least 2, found 1'],
    [{ k: Number.NaN }, 'option "k" must be a whole number of at least 2, found NaN'],
    [{ k: null }, 'option "k" must be a whole number of at least 2, found null'],
    [{ share: 1 }, 'option "share" must be a number above 0 and below 1, found 1'],
    [{ level: 0 }, 'option "level" must be a number above 0 and at most 1, found 0'],
    [{ most: 11 }, 'option "most" must be a whole number of at least 1 and at most 10, found 11'],
    [{ small: 5 }, 'option "small" must be a number below 5, found 5'],
    [{ positive: -1 }, 'option "positive" must be a number above 0, found -1'],
    [{ seed: 'x' }, 'option "seed" must be a whole number, found "x"'],
    [{ mode: 'fats' }, 'option "mode" must be "exact", "fast" or "slow", found "fats"; did you mean "fast"?'],
    [{ mode: 7 }, 'option "mode" must be "exact", "fast" or "slow", found 7'],
    [
      { mtry: 'sqr' },
      'option "mtry" must be "sqrt" or a whole number of at least 1, found "sqr"; did you mean "sqrt"?',
    ],
    [{ mtry: 0 }, 'option "mtry" must be "sqrt" or a whole number of at least 1, found 0'],
    [{ depth: -1 }, 'option "depth" must be a whole number of at least 0 or null, found -1'],
    [{ prune: 'yes' }, 'option "prune" must be true or false, found "yes"'],
    [{ label: 3 }, 'option "label" must be a text, found 3'],
    [{ name: '' }, 'option "name" must be a text that is not empty, found ""'],
    [{ keys: 'sex' }, 'option "keys" must be a list of 1 or more texts, found "sex"'],
    [{ keys: [] }, 'option "keys" must be a list of 1 or more texts, found []'],
    [{ keys: ['sex', 3] }, 'option "keys.1" must be a text, found 3'],
    [{ bounds: { x: 3 } }, 'option "bounds.x" must be a list of 2 (a number or null, a number or null), found 3'],
    [{ bounds: { x: ['a', 1] } }, 'option "bounds.x.0" must be a number or null, found "a"'],
    [
      { bounds: 1 },
      'option "bounds" must be an object from names to lists of 2 (a number or null, a number or null), found 1',
    ],
    [
      { smoothing: 'splin' },
      'option "smoothing" must be "none", "spline" or an object from names to "none" or "spline", found "splin"; did you mean "spline"?',
    ],
    [{ smoothing: { x: 'no' } }, 'option "smoothing.x" must be "none" or "spline", found "no"; did you mean "none"?'],
    [{ groups: { x: 1 } }, 'option "groups.x" must be a whole number of at least 2, found 1'],
    [
      { groups: true },
      'option "groups" must be a whole number of at least 2 or an object from names to whole numbers of at least 2, found true',
    ],
    [{ exclude: { x: [1, 'a'] } }, 'option "exclude.x.1" must be a number, found "a"'],
    [{ exclude: [] }, 'option "exclude" must be an object from names to lists of numbers, found []'],
    [{ rules: [{ when: 'x > 1' }] }, 'option "rules.0.value" is missing; it must be a text, a number or null'],
    [{ rules: [3] }, 'option "rules.0" must be an object with "when", "value", found 3'],
    [{ rules: {} }, 'option "rules" must be a list of objects with "when", "value", found {}'],
    [{ strict: { first: 1, second: 2, secnd: 3 } }, 'option "strict": unknown name "secnd"; did you mean "second"?'],
    [{ hyper: { rf: 3 } }, 'option "hyper.rf" must be an object from names to any values, found 3'],
    [{ even: 3 }, 'option "even" must be even'],
    [{ kk: 3 }, 'unknown option "kk"; did you mean "k"?'],
  ])('%j', (given, problem) => {
    expect(problems(given)).toEqual([`owner: ${problem}`])
  })

  it('all at once, each once', () => {
    // 0.5 is neither whole nor large enough.
    expect(problems({ k: 0.5, mod: 'fast', prune: 1 })).toEqual([
      'owner: unknown option "mod"; did you mean "mode"?',
      'owner: option "k" must be a whole number of at least 2, found 0.5',
      'owner: option "prune" must be true or false, found 1',
    ])
  })

  it('in short where much was given', () => {
    const [problem] = problems({ k: Array.from({ length: 1000 }, (_, i) => i) })
    expect(problem).toContain('found [0,1,2,3')
    expect(problem.length).toBeLessThan(150)
  })

  it('under the word that users know it by', () => {
    const parse = () => parseNamed('scrim.json', 'field', z.object({ seed: z.int() }), { sed: 1 })
    expect(parse).toThrow(
      'scrim.json: unknown field "sed"; did you mean "seed"?\nscrim.json: field "seed" is missing; it must be a whole number',
    )
  })
})

it('a file of something else is told by its first names', () => {
  const given = Object.fromEntries(Array.from({ length: 100_000 }, (_, k) => [`k${k}`, k]))
  const parse = () => parseNamed('scrim.json', 'field', z.object({}), given)
  expect(parse).toThrow('scrim.json: and 99,980 more unknown fields')
})

it.each([...learners, ...synthesizers, ...anonymisers, ...measures])(
  '$id can tell what its options expect',
  (owner) => {
    for (const name of Object.keys(owner.options.shape)) {
      const parse = () => parseOptions(owner.id, owner.options, { [name]: () => 1 })
      expect(parse).toThrow(new RegExp(`^${owner.id}: option "${name}" must be (?!any value).{4,}, found function$`))
    }
  },
)

it('whatever is given, it is taken or refused in plain words', () => {
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true })
  const names = fc.constantFrom(...Object.keys(schema.shape))
  fc.assert(
    fc.property(fc.dictionary(names, anything, { maxKeys: 3 }), (given) => {
      for (const problem of problems(given)) {
        expect(problem).toMatch(/^owner: option "[^"]/)
        expect(problem.replaceAll(/found .*/g, '')).not.toMatch(/zod|Invalid|input|received|expected|undefined|NaN/)
      }
    }),
    { numRuns: 1000 },
  )
})
