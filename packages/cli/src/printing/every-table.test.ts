import { type AnyMeasure, assessCase, documentView, measures, openCase, type Result, tablesOf } from '@scrim/core'
import { documentHtml } from '@scrim/report'
import { beforeAll, describe, expect, it } from 'vitest'
import { original, ROLES, subject } from '../../../core/src/contract/subjects.js'
import { findingTablesText } from './finding-tables.js'

/** What is in a table does not depend on how often something is drawn; without a bound nobody is asked about. */
const LESS_WORK: Readonly<Record<string, object>> = {
  'delta-presence': { deltaMax: 1 },
  'strong-attack': { records: 4, releases: 2 },
  'feature-importance': { resamples: 0, shuffles: 3 },
  'population-uniqueness': { bootstrap: 4 },
  'singling-out': { attacks: 100 },
  mia: { trees: 50 },
  'rf-proximity': { trees: 100 },
  nnaa: { permutations: 99 },
  nndr: { permutations: 99, repeats: 2 },
  rapid: { attackers: ['cart'], bootstrap: 50, permutations: 99 },
  'rapid-cv': { attackers: ['cart'] },
  'rapid-attribution': { attackers: ['cart'] },
  'rapid-importance': { attackers: ['cart'] },
  'rapid-threshold': { attackers: ['cart'] },
}

/** One number with a picture; what other software prints under their names may be a table. */
const NUMBER_ALONE = ['disco', 'weap', 'drisk', 'energy-distance', 'mmd', 'pca']
/** No rule is broken on these files, and nothing predicts the target. */
const EMPTY_HERE = ['learnt-rules', 'tstr']

const WIDTH = 80
const declared = measures.filter(({ id }) => ![...NUMBER_ALONE, ...EMPTY_HERE].includes(id))
const results = new Map<string, Result>()
let tablesOnPage: ReadonlyMap<string, readonly { readonly caption: string; readonly rows: readonly unknown[] }[]>
let html = ''

const lessWork = ({ id, role }: AnyMeasure): object => LESS_WORK[id] ?? (role === 'utility' ? { resamples: 0 } : {})

beforeAll(async () => {
  for (const measure of measures) results.set(measure.id, await measure.run(subject(measure), lessWork(measure)))
  const opened = openCase(
    { ...ROLES, measures: ['k-anonymity'] },
    { original, released: { ...original, name: 'copy' } },
  )
  const { assessment } = await assessCase(opened)
  const provenance = { version: '0', date: '', command: '', files: [], seconds: 0 }
  const view = documentView(assessment, [...results.values()], measures, provenance, 'internal')
  tablesOnPage = new Map(view.releases[0].tables.map(({ measure, tables }) => [measure, tables]))
  html = documentHtml(view, () => '<svg/>')
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

describe.each(declared.map((measure) => [measure.id, measure] as const))('tables of %s', (id, measure) => {
  const tables = () => {
    const result = results.get(id)
    return result === undefined ? [] : tablesOf(measure, result)
  }

  it('exist, and fit a terminal of 80 columns', () => {
    expect(tables().length).toBeGreaterThan(0)
    for (const table of tables()) {
      const text = findingTablesText([table], WIDTH)
      expect(text).toContain(table.title.split(' ')[0])
      // What is to be typed stands as it is typed.
      const isTyped = table.columns.some(({ format }) => format.kind === 'option')
      if (!isTyped) expect(text.split('\n').filter((line) => line.length > WIDTH)).toEqual([])
      expect(text).not.toMatch(/\b(NaN|undefined|null|Infinity)\b/)
    }
  })

  it('are those of the page and of the report', () => {
    const onPage = tablesOnPage.get(id) ?? []
    expect(onPage.map(({ caption }) => caption)).toEqual(tables().map(({ title }) => title))
    let at = html.indexOf(`<summary>${escaped(measure.title)}</summary>`)
    expect(at).toBeGreaterThan(0)
    for (const { caption, rows } of onPage) {
      at = html.indexOf(`${escaped(caption)}</caption>`, at)
      expect(at, caption).toBeGreaterThan(0)
      const body = html.slice(html.indexOf('<tbody>', at), html.indexOf('</table>', at))
      expect(body.match(/<tr/g)).toHaveLength(rows.length)
    }
  })
})

it('no other measure is excused', () => {
  expect(measures.filter(({ tables }) => tables === undefined).map(({ id }) => id)).toEqual([])
  const without = measures.filter((measure) => {
    const result = results.get(measure.id)
    return result === undefined || tablesOf(measure, result).length === 0
  })
  expect(without.map(({ id }) => id).sort()).toEqual([...NUMBER_ALONE, ...EMPTY_HERE].sort())
})
