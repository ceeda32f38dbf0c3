import type { Json } from '../../json.js'
import type { ReleaseFinding, Result } from '../../measure.js'
import { byTarget } from './findings.js'
import { meansByTarget } from './means.js'

type Scalar = string | number | boolean | null

export const FIGURE_COLUMNS = ['measure', 'part', 'release', 'target', 'name', 'value'] as const

/**
 * A result as a long table, one figure per row, for spreadsheets and R: `value`, its interval, controls, leakage and
 * exposure, usefulness, then every scalar of the details under its dotted path. Lists (class sizes, curves) are in the JSON only.
 */
export function figureRows(result: Result): readonly (readonly Scalar[])[] {
  return [
    ...(result.original === null ? [] : findingRows(result.measure, 'original', result.original)),
    ...result.releases.flatMap((release) => findingRows(result.measure, 'release', release)),
    ...(result.pooled === null ? [] : findingRows(result.measure, 'pooled', result.pooled)),
    ...(result.releases.length > 1 ? meanRows(result) : []),
  ]
}

function findingRows(measure: string, part: string, release: ReleaseFinding): readonly Scalar[][] {
  return byTarget(release).flatMap((finding) => {
    const { value, interval, controls, effect, exposure, leakage, people, utility, status } = finding
    const figures: [string, Scalar][] = [
      ['value', value],
      ['lower', interval?.lower ?? null],
      ['upper', interval?.upper ?? null],
      ['nothing', controls?.nothing?.value ?? null],
      ['fair', controls?.fair?.value ?? null],
      ['everything', controls?.everything?.value ?? null],
      ['honest', controls?.honest?.value ?? null],
      ['p', effect?.p ?? utility?.test?.p ?? null],
      ['exposure', exposure],
      ['leakage', leakage?.value ?? null],
      ['leakageLower', leakage?.lower ?? null],
      ['leakageUpper', leakage?.upper ?? null],
      ['people', people ?? null],
      ['ratio', utility?.ratio ?? null],
      ['place', utility?.place ?? null],
      ['sample', utility?.equivalent?.fraction ?? null],
      ['sampleLower', utility?.equivalent?.interval.lower ?? null],
      ['sampleUpper', utility?.equivalent?.interval.upper ?? null],
      ['status', status],
      ...scalars(finding.details ?? {}, ''),
    ]
    return figures.map(([name, figure]) => [measure, part, finding.name, finding.target, name, figure])
  })
}

function meanRows(result: Result): readonly Scalar[][] {
  return meansByTarget(result).flatMap(({ target, mean, interval, sd, min, max }) => {
    const figures: [string, Scalar][] = [
      ['value', mean],
      ['lower', interval?.lower ?? null],
      ['upper', interval?.upper ?? null],
      ['sd', sd],
      ['min', min],
      ['max', max],
    ]
    return figures.map(([name, figure]) => [result.measure, 'mean', null, target, name, figure])
  })
}

function scalars(value: Json | undefined, path: string): readonly [string, Scalar][] {
  if (value === undefined || Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => scalars(inner, path === '' ? key : `${path}.${key}`))
}
