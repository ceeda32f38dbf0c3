import {
  type Audience,
  assessCase,
  categorical,
  columnOf,
  documentView,
  measures,
  numeric,
  openCase,
  stream,
  type Table,
  table,
  valueAt,
} from '@scrim/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentHtml } from './document.js'

const HOSTILE = '<script>alert(1)</script>.csv'

function people(name: string, rows: number): Table {
  const random = stream(2, name)
  const age = Array.from({ length: rows }, () => 20 + 5 * random.below(10))
  return table(name, [
    categorical(
      'sex',
      age.map(() => 'fm'[random.below(2)]),
      { levels: ['f', 'm'] },
    ),
    numeric('age', age),
    numeric(
      'income',
      age.map((years) => years * 100 + random.below(900)),
    ),
    categorical(
      'ill',
      age.map((years) => (random.below(100) < years ? 'yes' : 'no')),
      { levels: ['no', 'yes'] },
    ),
  ])
}

const original = people('original.csv', 160)
const opened = openCase(
  {
    keys: ['sex', 'age'],
    target: 'ill',
    measures: ['attribution', 'memorisation', 'k-anonymity', 'dcap', 'disclosure'],
  },
  { original, released: { ...original, name: HOSTILE } },
)
const provenance = {
  version: '0.0.0',
  date: '2026-01-01 00:00',
  command: 'scrim assess',
  files: [{ role: 'release', name: HOSTILE, rows: 160, columns: 4, sha256: 'a'.repeat(64) }],
  seconds: 1,
}

let html: Record<Audience, string>
beforeAll(async () => {
  const { assessment, results } = await assessCase(opened, { records: true })
  const rendered = (audience: Audience) =>
    documentHtml(
      documentView(assessment, results, measures, provenance, audience, { release: opened.release, top: 4 }),
      ({ name }) => `<svg id="${name}"/>`,
    )
  html = { publishable: rendered('publishable'), internal: rendered('internal') }
})

describe('the report', () => {
  it('says the answer, the threats as questions, what was not tested and who signs', () => {
    for (const page of Object.values(html)) {
      expect(page).toContain('Do not release it.')
      expect(page).toContain('Are released records closer to the people in the data than people are to each other?')
      expect(page).toContain('Not tested')
      expect(page).toContain('a'.repeat(64))
      for (const field of ['Reviewer', 'Date', 'Decision', 'Conditions']) expect(page).toContain(field)
    }
  })

  it('has the tables of measures: exact for readers inside, in steps and without levels for others', () => {
    const rowOf = (page: string, caption: string) =>
      [
        ...(new RegExp(`${caption}</caption>.*?<tbody>(.*?)</tbody>`, 's').exec(page)?.[1] ?? '').matchAll(
          /<t[dh][^>]*>(.*?)<\/t[dh]>/g,
        ),
      ].map(([, cell]) => cell)
    const inside = rowOf(html.internal, 'Attribute disclosure \\(attrib\\)')
    expect(inside).toHaveLength(8)
    expect(inside[0]).toMatch(/^\d+\.\d\d\u00a0%$/)
    const outside = rowOf(html.publishable, 'Attribute disclosure \\(attrib\\)')
    expect(outside).toHaveLength(6)
    expect(outside.join()).not.toMatch(/\d\.\d/)
    expect(html.internal).toContain('By level of the target')
    for (const held of ['By level of the target', 'allCAPs', 'Records by size of their class'])
      expect(html.publishable).not.toContain(held)
  })

  it('has no script and asks for nothing, whatever files are called', () => {
    for (const page of Object.values(html)) {
      expect(page).not.toMatch(/<script/i)
      expect(page).not.toMatch(/(src|href)=/)
      expect(page).toContain('&lt;script')
      expect(page).toContain("default-src 'none'")
    }
  })

  it('keeps pictures of single measures, and exact counts, from readers outside', () => {
    expect(html.internal.match(/<svg/g)?.length).toBeGreaterThan(2)
    expect(html.publishable.match(/<svg/g)).toHaveLength(1)
    expect(html.publishable).not.toMatch(/\d+\.\d\s%/)
  })

  it('shows the most exposed records one by one to readers inside, under a banner, and to nobody else', () => {
    expect(html.internal).toContain('Internal, not for publication')
    const [, body] = /The 4 most exposed of \d+ records<\/caption>.*?<tbody>(.*?)<\/tbody>/s.exec(html.internal) ?? []
    const rows = [...(body ?? '').matchAll(/<th scope="row">(\d+)<\/th>/g)].map(([, row]) => Number(row))
    expect(rows).toHaveLength(4)
    const [row] = rows
    const values = [...(/<tr>(.*?)<\/tr>/s.exec(body ?? '')?.[1] ?? '').matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(
      ([, cell]) => cell,
    )
    for (const name of ['sex', 'age']) expect(values).toContain(String(valueAt(columnOf(original, name), row - 1)))
    expect(html.publishable).not.toContain('Internal, not for publication')
    expect(html.publishable).not.toContain('most exposed of')
    expect(html.publishable).not.toContain('>row<')
  })
})
