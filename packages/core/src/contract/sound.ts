import type { Controls, Effect, Leakage } from '../evidence/evidence.js'
import { type Json, nonFinitePath } from '../json.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../measure.js'
import { ROWS } from './subjects.js'

/** What must hold of the result of any measure on any files, whatever it measures. */
export const ROUNDING = 1e-12

/** Throws what is wrong; `about` says where. */
export function must(holds: boolean, about: string): asserts holds {
  if (!holds) throw new Error(about)
}

/** All findings of a result, those of single targets included. */
export function findingsOf({ original, releases, pooled }: Result): ReleaseFinding[] {
  return [original, ...releases, pooled]
    .filter((finding) => finding !== null)
    .flatMap((finding) => [finding, ...(finding.targets ?? [])])
}

export function mustBeSound(measure: AnyMeasure, result: Result): void {
  must(result.status !== 'failed', `fails: ${JSON.stringify(result.reason)}`)
  mustBeJson(result as unknown as Json)
  for (const finding of findingsOf(result)) {
    must(finding.status !== 'failed', `fails on ${finding.name}: ${finding.reason?.text}`)
    mustHaveValue(measure, finding)
    must(finding.sentence.length > 0, 'has no sentence')
    must(!/NaN|undefined|null|Infinity/.test(finding.sentence), `says "${finding.sentence}"`)
    mustHaveEvidence(measure, finding)
  }
}

function mustHaveValue({ range, varies }: AnyMeasure, { value, interval, reason }: ReleaseFinding): void {
  const [low, high] = range ?? [0, 1]
  if (value === null) must(reason !== null && reason !== undefined, 'has neither a value nor a reason')
  else must(value >= low - ROUNDING && value <= high + ROUNDING, `${value} is not from ${low} to ${high}`)
  if (interval === null) return
  must(varies !== undefined, 'has an interval, but does not declare what it allows for (varies)')
  if (value !== null) mustEnclose(value, interval)
}

function mustBeJson(result: Json): void {
  const path = nonFinitePath(result)
  must(path === undefined, `${path} is not finite`)
  mustBePlain(result, 'result')
}

function mustBePlain(value: Json | undefined, path: string): void {
  must(typeof value !== 'function' && typeof value !== 'bigint', `${path} is not JSON`)
  if (typeof value === 'string') must(!value.includes('--'), `${path} names a flag, where roles would do: ${value}`)
  if (typeof value !== 'object' || value === null) return
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  must(isPlain, `${path} is not a plain object or array`)
  for (const [key, inner] of Object.entries(value)) {
    const here = `${path}.${key}`
    // What another program prints is kept as it is.
    must(key !== 'verdict' || path.includes('.details.riskutility'), `${here}: a measure judges nothing`)
    mustBePlain(inner, here)
  }
}

function mustEnclose(value: number, { lower, upper }: { readonly lower: number; readonly upper: number }): void {
  must(lower <= value + ROUNDING && upper >= value - ROUNDING, `${value} is not from ${lower} to ${upper}`)
}

function mustBeClose(value: number, expected: number, about: string): void {
  must(Math.abs(value - expected) < 5e-10, `${about} is ${value}, not ${expected}`)
}

/** Effects enclosed by their bounds, and exposure and leakage what controls and effect make them. */
function mustHaveEvidence(measure: AnyMeasure, finding: ReleaseFinding): void {
  const { value, controls = {}, effect, leakage, exposure, people, looks = [], notAssessed } = finding
  const { nothing, everything } = controls
  mustCompare(controls, effect, leakage)
  for (const look of looks) {
    mustCompare(look.controls, look.effect, look.leakage)
    must(Boolean(look.what), 'a look does not say what it looks at')
  }
  if (nothing === undefined || everything === undefined) must(exposure === null, 'exposure without its controls')
  else if (exposure !== null)
    mustBeClose(exposure, ((value ?? Number.NaN) - nothing.value) / (everything.value - nothing.value), 'exposure')
  if (effect !== undefined && leakage === null) must(Boolean(notAssessed), 'does not say why there is no leakage')
  if (notAssessed !== undefined) must(leakage === null, 'has leakage, and says that it was not assessed')
  for (const number of [people, ...looks.map((look) => look.people)])
    if (number !== undefined && number !== null)
      must(Number.isInteger(number) && number >= 0 && number <= ROWS, `concerns ${number} people`)
  if (measure.role === 'structure')
    must(
      effect === undefined && leakage === null && exposure === null && looks.length === 0,
      'is a fact about a file, and gives evidence',
    )
}

function mustCompare(controls: Controls, effect: Effect | undefined, leakage: Leakage | null): void {
  for (const control of Object.values(controls)) {
    must(Boolean(control.what), 'a control does not say what it is')
    must((control.se ?? 0) >= 0, 'a control has a negative standard error')
  }
  if (effect === undefined) {
    must(leakage === null, 'has leakage without an effect')
    return
  }
  mustEnclose(effect.value, effect)
  must((effect.se ?? 0) >= 0, 'the effect has a negative standard error')
  must(effect.p >= 0 && effect.p <= 1, `p is ${effect.p}`)
  if (leakage === null) return
  const ceiling = effect.ceiling ?? (controls.everything?.value ?? Number.NaN) - (controls.fair?.value ?? Number.NaN)
  for (const bound of ['value', 'lower', 'upper'] as const)
    mustBeClose(leakage[bound], effect[bound] / ceiling, `leakage, ${bound}`)
  must(leakage.p === effect.p, 'leakage has another p than the effect')
}
