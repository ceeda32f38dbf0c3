import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Whoever reads a report must be able to work every leakage out from what is printed beside it:
 *   leakage = (value - fair) / (original - its fair).
 * Publishable reports round, so each printed number is a range, and the ranges have to meet.
 */
type Range = readonly [number, number]

const EXAMPLES = resolve(import.meta.dirname, '../../examples')
const reports = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.html') && !basename(file).startsWith('map'),
)
const FAIR = /other people's records|honest sample|other originals|left out in turn|other people$|outside the release/

interface Printed {
  readonly leakage: Range
  readonly release: Range
  readonly fair: Range
  readonly original: Range
  readonly itsFair: Range
}

/** What stands in the list of each threat: its leakage, and the deciding measure among its controls. */
function printedIn(html: string): Printed[] {
  const text = html
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('&#39;', "'")
  return [...text.matchAll(/<dt>Leakage<\/dt><dd>([^<]*)([\s\S]*?)<\/dl>/g)].map(([, leakage, list]) => {
    const controls = [
      ...list.matchAll(/<span class(?:="grey")?>(?: · )?([^<(]*?) ((?:under |over )?[\d.]+(?: %)?)<\/span>/g),
    ].map(([, what, number]) => ({ what, number }))
    const range = (asked: RegExp) => {
      const found = controls.find(({ what }) => asked.test(what))
      return found === undefined ? undefined : rangeOf(found.number)
    }
    const [release, fair, original] = [/this release$/, FAIR, /the original itself$/].map(range)
    if (release === undefined || fair === undefined || original === undefined)
      throw new Error(`a leakage of ${leakage} stands without its controls: ${list}`)
    return { leakage: rangeOf(leakage), release, fair, original, itsFair: range(/its fair control$/) ?? fair }
  })
}

/** "under 2 %", "over 99 %", "81 %", "0.99": what may have been rounded to it. */
function rangeOf(text: string): Range {
  const [, words = '', number = '', unit = ''] = /^(under |over )?([\d.]+)( %)?/.exec(text) ?? []
  const [value, half] = [Number(number) / (unit === '' ? 1 : 100), 0.005]
  if (words === 'under ') return [0, value]
  return words === 'over ' ? [value, 1] : [value - half, value + half]
}

/** All leakages that the rounded numbers allow; nothing where even the ends of the scale may meet. */
function workedOut({ release, fair, original, itsFair }: Printed): Range {
  const [least, most] = [release[0] - fair[1], release[1] - fair[0]]
  const lengths = [original[0] - itsFair[1], original[1] - itsFair[0]]
  if (lengths[0] <= 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const quotients = [least, most].flatMap((gap) => lengths.map((length) => gap / length))
  return [Math.min(...quotients), Math.max(...quotients)]
}

/** Printed leakage ends where other people and the original itself are. */
function agrees(printed: Printed): boolean {
  const [least, most] = workedOut(printed).map((value) => Math.min(1, Math.max(0, value)))
  return printed.leakage[0] <= most + 1e-9 && printed.leakage[1] >= least - 1e-9
}

describe('every leakage of the example reports follows from what stands beside it', () => {
  it.each(reports)('%s', (file) => {
    const printed = printedIn(readFileSync(join(EXAMPLES, file), 'utf8'))
    expect(printed.length).toBeGreaterThan(2)
    for (const one of printed) expect(agrees(one), JSON.stringify(one)).toBe(true)
  })

  it('another leakage, fair control or original would be seen', () => {
    const [file] = reports.filter((name) => name.endsWith('C.html'))
    const html = readFileSync(join(EXAMPLES, file), 'utf8')
    const others = [
      html.replace(/<dd>81/, '<dd>61'),
      html.replaceAll(/(other people's records) 14.%/g, '$1 4 %'),
      html.replaceAll(/the original itself 25.%/g, 'the original itself 60 %'),
    ]
    for (const changed of others) {
      expect(changed).not.toBe(html)
      expect(printedIn(changed).every(agrees)).toBe(false)
    }
  })
})
