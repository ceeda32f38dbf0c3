import { categorical, numeric, stream, table, toCsv } from '@scrim/core'
import { expect, it } from 'vitest'
import { workplace } from './testing/run.js'

/**
 * Two reports that may be published, about files that differ by two people, held against each other: no number of people may
 * differ by less than a step, which would tell something of these two.
 */
const ROWS = 240
const [FEWEST, STEP] = [10, 0.05]

/** Five people have a rare level; the two who are missing in the second file are among them. */
function people(name: string, seed: number, rows: number): string {
  const random = stream(seed, 'people')
  const age = Array.from({ length: ROWS }, () => random.below(4))
  const region = age.map((_, row) => (row >= ROWS - 5 ? 'rare' : 'nesw'[random.below(4)]))
  const income = age.map((one, row) => 1000 * one + random.below(900) + (row >= ROWS - 5 ? 7000 : 0))
  const levels = ['n', 'e', 's', 'w', 'rare']
  return toCsv(
    table(name, [
      numeric('age', age.slice(0, rows)),
      categorical('region', region.slice(0, rows), { levels }),
      numeric('income', income.slice(0, rows)),
    ]),
  )
}

it('publishable reports of two overlapping files give back no suppressed count', async () => {
  const place = workplace({
    'one/o.csv': people('o', 1, ROWS),
    'one/r.csv': people('r', 1, ROWS),
    'two/o.csv': people('o', 1, ROWS - 2),
    'two/r.csv': people('r', 1, ROWS - 2),
  })
  const flags =
    '--keys age,region --target income --type synthetic --measures attribution,memorisation,k-anonymity,identical-matches,repu'
  const texts: Record<string, string[]> = { html: [], md: [] }
  for (const folder of ['one', 'two']) {
    const { code, err } = await place.run(
      `assess ${folder}/o.csv ${folder}/r.csv ${flags} --html ${folder}.html --markdown ${folder}.md --json ${folder}.json`,
    )
    expect([code, err]).toEqual([0, ''])
    texts.html.push(withoutPublicParts(plain(place.read(`${folder}.html`))))
    texts.md.push(withoutPublicParts(place.read(`${folder}.md`)))
  }
  // There is something to hide: the exact results differ by the two people, and name small counts.
  const [exact, fewer] = ['one.json', 'two.json'].map((file) => place.read(file))
  expect(exact).not.toBe(fewer)
  for (const [one, two] of Object.values(texts)) {
    for (const text of [one, two]) {
      for (const share of percents(text)) expect(share / (100 * STEP)).toBeCloseTo(Math.round(share / (100 * STEP)), 6)
      for (const count of counts(text)) expect([count, count % FEWEST]).toEqual([count, 0])
    }
    expect(percents(one).length).toBeGreaterThan(5)
    const [a, b] = [percents(one), percents(two)]
    if (a.length === b.length)
      for (const [k, share] of a.entries()) {
        const peopleApart = (Math.abs(share - b[k]) / 100) * ROWS
        expect(peopleApart === 0 || peopleApart >= FEWEST).toBe(true)
      }
  }
})

/** What a reader sees, pictures included. */
function plain(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/&nbsp;|\u00a0/g, ' ')
}

/** The sizes of the files are public; how sure an interval is says nothing of people. */
function withoutPublicParts(text: string): string {
  return text
    .slice(0, text.search(/Appendix: how it was measured|How was it measured\?/))
    .replace(/SHA-256 of .*?[0-9a-f]{64}/g, '')
    .replace(/one-sided 95 % bounds/g, '')
    .replace(/\b(240|238)\b( people)?/g, '')
    .replace(/(under|over) \d+ %/g, '')
    .replace(/How useful is it\?.*?(?=What does )/s, '')
}

function percents(text: string): number[] {
  return [...text.matchAll(/(\d+(?:\.\d+)?) %/g)].map(([, number]) => Number(number))
}

/** Numbers that are said to be of people. */
function counts(text: string): number[] {
  return [...text.matchAll(/(?:about|concerned:?) +(\d[\d,]*)/g)].map(([, number]) =>
    Number(number.replaceAll(',', '')),
  )
}
