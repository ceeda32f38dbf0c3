import { beforeAll, describe, expect, it } from 'vitest'
import type { Assessment, ThreatAssessment } from '../assess/assessment.js'
import { assessCase } from '../assess/run.js'
import { openCase } from '../case/open-case.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { permutation, sampleWithoutReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import type { Release } from '../table/release.js'
import { selectRows, type Table, tableOf } from '../table/table.js'
import { answerView } from './answer.js'
import { documentView } from './document.js'
import { evidenceRows, lookRows } from './findings/evidence-table.js'
import { exposedRecords } from './findings/exposed-records.js'
import { decidingLook } from './findings/findings.js'
import { findingsByThreat } from './findings/findings-table.js'
import { cellText } from './findings/table-view.js'

const PEOPLE = 400
const COPIED = 10

function people(name: string): Table {
  const random = stream(11, name)
  const records = Array.from({ length: PEOPLE }, () => {
    const age = 20 + random.below(60)
    return {
      sex: 'fm'[random.below(2)],
      region: `r${random.below(9)}`,
      age,
      income: 1000 + 37 * age + random.below(4000),
      ill: random.uniform() < age / 100 ? 'yes' : 'no',
      height: 150 + random.below(400) / 10,
    }
  })
  const columns = ['sex', 'region', 'age', 'income', 'ill', 'height'] as const
  return tableOf(name, Object.fromEntries(columns.map((column) => [column, records.map((record) => record[column])])))
}

/** Other people among whom a few rows of the original, anywhere in both files, are copied. */
function withCopies(original: Table, rows: Int32Array): Table {
  const others = people('others')
  const order = permutation(stream(1, 'places'), PEOPLE)
  const place = new Map([...rows].map((row, k) => [order[k], row]))
  return {
    ...others,
    columns: others.columns.map((column, j) => {
      const own = original.columns[j]
      if (column.kind === 'categorical' && own.kind === 'categorical') {
        const levels = [...new Set([...column.levels, ...own.levels])]
        const labelAt = (row: number) =>
          place.has(row) ? own.levels[own.codes[place.get(row) ?? 0]] : column.levels[column.codes[row]]
        return { ...column, levels, codes: column.codes.map((_, row) => levels.indexOf(labelAt(row))) }
      }
      if (column.kind === 'categorical' || own.kind === 'categorical') return column
      return { ...column, values: column.values.map((value, row) => own.values[place.get(row) ?? -1] ?? value) }
    }),
  }
}

interface Answered {
  readonly release: Release
  readonly results: readonly Result[]
  readonly assessment: Assessment
}

async function answered(original: Table, released: Table, target: string): Promise<Answered> {
  const opened = openCase(
    { keys: ['sex', 'region', 'age'], target, type: 'synthetic', profile: 'standard', side: 'risk' },
    { original, released, holdout: people('outside') },
  )
  return { release: opened.release, ...(await assessCase(opened, { records: true })) }
}

const original = people('original')
const rows = sampleWithoutReplacement(stream(1, 'copied'), PEOPLE, COPIED).sort()
let tenCopies: readonly Answered[] = []
let copy: Answered

beforeAll(async () => {
  const released = withCopies(original, rows)
  tenCopies = [await answered(original, released, 'income'), await answered(original, released, 'ill')]
  copy = await answered(original, { ...selectRows(original, permutation(stream(1, 'x'), PEOPLE)), name: 'copy' }, 'ill')
})

interface Printed {
  readonly value: string
  readonly fair: string
  readonly original: string
  readonly itsFair: string
  readonly leakage: string
}

/** Whether a printed leakage is among those that the other printed numbers, each rounded, allow. */
function follows({ value, fair, original, itsFair, leakage }: Printed): boolean {
  const [at, low, high] = [value, fair, original].map(rounded)
  const own = itsFair === '-' || itsFair === '–' ? low : rounded(itsFair)
  const lengths = [high[0] - own[1], high[1] - own[0]]
  if (lengths[0] <= 0) return true
  const quotients = [at[0] - low[1], at[1] - low[0]].flatMap((gap) => lengths.map((length) => gap / length))
  const [least, most] = leakage === 'none' ? [Number.NEGATIVE_INFINITY, 0] : rounded(leakage)
  return Math.min(...quotients) <= most && (Math.max(...quotients) >= least || least >= 0.995)
}

/** "12.3 %" may have been anything from 0.1225 to 0.1235. */
function rounded(text: string): readonly [number, number] {
  const [, number = '', decimals = '', unit = ''] = /^(-?\d+(?:\.(\d+))?)( %)?$/.exec(text.replace('\u00a0', ' ')) ?? []
  if (number === '') throw new Error(`"${text}" is a number`)
  const [scale, half] = [unit === '' ? 1 : 100, 0.5001 * 10 ** -decimals.length]
  return [(Number(number) - half) / scale, (Number(number) + half) / scale]
}

const measureOf = (id: string) => {
  const measure = measures.find((each) => each.id === id)
  if (measure === undefined) throw new Error(`${id} is a measure`)
  return measure
}

const seenIn = ({ assessment }: Answered) => assessment.releases[0].threats.filter(({ leakage }) => leakage !== null)

describe('every number can be traced', () => {
  it('leakage and exposure follow from the controls that stand beside them', () => {
    for (const one of [...tenCopies, copy])
      for (const { value, controls, leakage, exposure } of seenIn(one)) {
        const { fair, nothing, everything } = controls ?? {}
        const [at, low, high] = [value ?? Number.NaN, fair?.value ?? Number.NaN, everything?.value ?? Number.NaN]
        expect((at - low) / (high - (everything?.fair ?? low))).toBeCloseTo(leakage ?? Number.NaN, 9)
        if (exposure !== null && nothing !== undefined)
          expect((at - nothing.value) / (high - nothing.value)).toBeCloseTo(exposure, 9)
      }
  })

  it('every printed leakage follows from what is printed beside it, of measures that do not decide too', () => {
    for (const { assessment, results } of [...tenCopies, copy]) {
      const own = results.flatMap((result) => evidenceRows(measureOf(result.measure), result))
      const below = findingsByThreat(assessment, 0, results, measureOf).flatMap(({ findings }) => findings)
      const provenance = { version: '1', date: 'today', command: null, files: [], seconds: 1 }
      const { rows } = documentView(assessment, results, measures, provenance, 'internal').releases[0].evidence
      const inReport = rows.map((row) => {
        const [measure, , value, fair, original, itsFair, leakage] = row.map(cellText)
        return { measure, value, fair, original, itsFair, leakage }
      })
      const printed = [...own, ...below, ...inReport].filter(({ leakage }) => leakage !== '-' && leakage !== '–')
      expect(printed.length).toBeGreaterThan(30)
      expect(printed.filter((row) => !follows(row))).toEqual([])
    }
  })

  it('the look that decided is the one that is shown', () => {
    for (const one of [...tenCopies, copy])
      for (const threat of seenIn(one)) {
        const deciding = decidingLook(threat, one.results, 0)
        const { value, leakage } = deciding?.look ?? deciding?.finding ?? {}
        expect({ value, leakage: leakage?.value }).toEqual({ value: threat.value, leakage: threat.leakage })
      }
  })

  it('the answer says what each verdict rests on, and why bounds above 0 are no alarm', () => {
    const [one] = tenCopies
    const lines = answerView(one.assessment).releases[0].restsOn
    expect(lines).toHaveLength(seenIn(one).length)
    const isCorrected = ({ p, adjustedP }: ThreatAssessment) => (p ?? 1) < 0.05 && (adjustedP ?? 1) >= 0.05
    expect(lines.filter((line) => line.includes('not significant among'))).toHaveLength(
      seenIn(one).filter(isCorrected).length,
    )
  })

  it('the looks of a measure have the one that decided, with the same figures as the answer', () => {
    const [one] = tenCopies
    const rests = answerView(one.assessment).releases[0].restsOn.join('\n')
    for (const { decidedBy, look, target } of seenIn(one)) {
      const measure = measures.find(({ id }) => id === decidedBy)
      const result = one.results.find((each) => each.measure === decidedBy)
      if (measure === undefined || result === undefined) throw new Error(`${decidedBy} ran`)
      const row = lookRows(measure, result).find((each) => each.look === look && each.target === target)
      expect(rests).toContain(`${decidedBy}, ${look}: ${row?.value}, fair ${row?.fair}`)
    }
  })

  it('a copy concerns everybody, through every threat', () => {
    const concerned = seenIn(copy).map(({ threat, people: many }) => [threat, many])
    const assessed = ['attribute', 'memorisation', 'memorisation-tail', 'membership', 'singling-out', 'linkability']
    expect(Object.fromEntries(concerned)).toEqual(Object.fromEntries(assessed.map((threat) => [threat, PEOPLE])))
  })

  it('people are leakage × all people', () => {
    for (const one of tenCopies)
      for (const { threat, people: many, leakage } of seenIn(one))
        expect(many, threat).toBe(Math.round(PEOPLE * Math.min(1, Math.max(0, leakage ?? 0))))
  })
})

describe('the most exposed people', () => {
  const found = (one: Answered, threat: string) => {
    const about = one.assessment.releases[0].threats.find((seen) => seen.threat === threat)
    if (about === undefined) throw new Error(`${threat} is a threat`)
    return exposedRecords(about, 0, one.results, measures, { release: one.release, top: COPIED })
  }

  it.each(['memorisation', 'memorisation-tail', 'attribute', 'membership', 'singling-out', 'linkability'])(
    'are those who were copied, not the first of the file: %s',
    (threat) => {
      for (const one of tenCopies) {
        const shown = (found(one, threat)?.table.rows ?? []).map(([row]) => Number(row) - 1)
        expect(shown.filter((row) => rows.includes(row)).length).toBeGreaterThanOrEqual(COPIED - 1)
      }
    },
  )
})
