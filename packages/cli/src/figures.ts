import type { Json, ReleaseFinding, Result } from '@scrim/core'
import { csvText } from './csv.js'
import { byTarget } from './findings.js'

type Scalar = string | number | boolean | null

/**
 * A result as a long table, one figure per row, for spreadsheets and R: `value`, its interval and verdict, then every
 * scalar of the details under its dotted path. Lists (class sizes, curves) are in the JSON only.
 */
export function figuresCsv(result: Result): string {
  const rows = [
    ...(result.original === null ? [] : findingRows(result.measure, 'original', result.original)),
    ...result.releases.flatMap((release) => findingRows(result.measure, 'release', release)),
    ...(result.pooled === null ? [] : findingRows(result.measure, 'pooled', result.pooled)),
    ...(result.releases.length > 1 ? meanRows(result) : []),
  ]
  return csvText(['measure', 'part', 'release', 'target', 'name', 'value'], rows)
}

function findingRows(measure: string, part: string, release: ReleaseFinding): readonly Scalar[][] {
  return byTarget(release).flatMap((finding) => {
    const figures: [string, Scalar][] = [
      ['value', finding.value],
      ['lower', finding.interval?.lower ?? null],
      ['upper', finding.interval?.upper ?? null],
      ['verdict', finding.verdict?.level ?? null],
      ['status', finding.status],
      ...scalars(finding.details ?? {}, ''),
    ]
    return figures.map(([name, value]) => [measure, part, finding.name, finding.target, name, value])
  })
}

function meanRows({ measure, value, interval, details }: Result): readonly Scalar[][] {
  const figures: [string, Scalar][] = [
    ['value', value],
    ['lower', interval?.lower ?? null],
    ['upper', interval?.upper ?? null],
    ['sd', details.sd],
    ['min', details.min],
    ['max', details.max],
  ]
  return figures.map(([name, figure]) => [measure, 'mean', null, null, name, figure])
}

function scalars(value: Json | undefined, path: string): readonly [string, Scalar][] {
  if (value === undefined || Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => scalars(inner, path === '' ? key : `${path}.${key}`))
}
