import { NotApplicable } from '../errors.js'
import type { Look } from '../evidence/evidence.js'
import type { JsonObject } from '../json.js'
import type { Context, Finding, Subject } from '../measure.js'
import { remember, tableOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'

/**
 * A measure that also looks at a part of the release, where a leak cannot hide behind the rest: such looks can alarm and
 * cannot reassure. `narrower` gives null where the whole is all there is to look at.
 */
export function alsoIn<Options, Details extends JsonObject>(
  what: string,
  compute: (subject: Subject, options: Options, context: Context) => Promise<Finding<Details>>,
  narrower: (subject: Subject, context: Context) => Promise<Release | null>,
) {
  return async (subject: Subject, options: Options, context: Context): Promise<Finding<Details>> => {
    const whole = await compute(subject, options, context)
    const release = await narrower(subject, context)
    if (release === null) return whole
    const left = await applicable(compute({ release, part: 0, target: subject.target }, options, context))
    return left === null ? whole : { ...whole, looks: [...(whole.looks ?? []), ...looksOf(what, left)] }
  }
}

/** The same in some of the columns, unless somebody has said which: at least two, and not all. */
export function alsoInColumns<Options extends { readonly variables: unknown }, Details extends JsonObject>(
  what: string,
  compute: (subject: Subject, options: Options, context: Context) => Promise<Finding<Details>>,
  columnsOf: (subject: Subject, context: Context) => ReadonlySet<string>,
) {
  const both = alsoIn(what, compute, async (subject, context) => {
    const { release, part } = subject
    return remember(release, `${what} ${part} ${context.seed}`, () => {
      const columns = columnsOf(subject, context)
      const variables = release.variables.filter((name) => columns.has(name))
      if (variables.length < 2 || variables.length === release.variables.length) return null
      return { ...release, released: [tableOfPart(release, part)], variables, holdout: null, population: null }
    })
  })
  return (subject: Subject, options: Options, context: Context): Promise<Finding<Details>> =>
    options.variables === null ? both(subject, options, context) : compute(subject, options, context)
}

function looksOf(where: string, { value, controls, effect, people = null, looks = [] }: Finding): readonly Look[] {
  if (value === null || controls === undefined || effect === undefined) return []
  return [
    { what: where, value, controls, effect, people, narrow: true },
    ...looks.map(({ what, ...look }) => ({ ...look, what: `${where}, ${what}`, narrow: true })),
  ]
}

async function applicable<T>(computed: Promise<T>): Promise<T | null> {
  try {
    return await computed
  } catch (error) {
    if (error instanceof NotApplicable) return null
    throw error
  }
}
