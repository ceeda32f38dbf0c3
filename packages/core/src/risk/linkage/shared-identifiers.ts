import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Controls, Effect, Look } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { grouped } from '../../print.js'
import { type CarriedIdentifier, type IdentifierSide, scanFor, type WrittenAs } from '../../table/release.js'
import { identifiersKey, type NothingCarried } from './scanned-identifiers.js'

/**
 * Identifiers of people in the original that stand in the release: names, numbers of persons, free text, as they are, written
 * otherwise, as a digest, or inside a longer text (`case/carried-identifiers.ts` finds them). Counted from two sides,
 *   records   released records that carry an identifier of somebody / released records
 *   people    people whose identifier a released record carries / people
 * and the side that shows more decides: real names in a few released records, or all names among many other records.
 *   fair        what chance gives: people who share an identifier with others, numbers in a dense range, people outside
 *   everything  1: the original itself carries everybody's
 * Leakage = (share - fair) / (1 - fair), with Newcombe's bounds and the exact test of two shares; records with one value count
 * once, and p is multiplied by the number of comparisons made.
 * Blind to identifiers that were encrypted, shortened or digested with a salt; it can alarm and cannot reassure.
 */
const options = z.object({})

type Carried = ReturnType<typeof described>

export const sharedIdentifiers = measure({
  id: 'shared-identifiers',
  title: 'Shared identifiers',
  summary: 'share of released records that carry the name or number of somebody in the original',
  family: 'linkage',
  threat: 'identity',
  role: 'decides',
  namesPeople: true,
  asItIs: true,
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  blindTo: 'identifiers that were encrypted, shortened or digested with a salt',
  options,
  compute,
  sentence: ({ details: { carried } }) =>
    carried.length === 0
      ? 'no released record carries an identifier of somebody in the original'
      : sentenceOf(carried[0]),
  tables: ({ details: { carried } }) => [
    findingTable('carried', 'Identifiers of people that stand in the release', carried, [
      [column.text('identifier'), ({ column: name }) => name],
      [column.text('released in'), ({ releasedColumn }) => releasedColumn],
      [column.text('written'), ({ written }) => written],
      [column.count('records'), ({ records }) => records],
      [column.count('of records'), ({ recordsOf }) => recordsOf],
      [column.count('people'), ({ people }) => people],
      [column.count('of people'), ({ peopleOf }) => peopleOf],
    ]),
  ],
  charts: ({ value, controls }, { name }) => [
    barChart({ name: 'carried', title: `Identifiers of people in the original: ${name}`, x: '', y: 'share' }, [
      { label: 'this release', value: value ?? 0 },
      { label: 'by chance', value: controls?.fair?.value ?? 0, series: 'original' },
      { label: 'the original', value: 1, series: 'original' },
    ]),
  ],
})

function sentenceOf({ column, releasedColumn, written, ...counts }: Carried): string {
  const what = column.includes(', ') ? `${column} together` : column
  const place = written === 'inside a text' || releasedColumn !== column ? `, in ${releasedColumn}` : ''
  const spelling = written === 'as it is' || written === 'inside a text' ? '' : `, ${SPELLING[written]}`
  const number = (value: number) => grouped(value)
  return `${number(counts.records)} of ${number(counts.recordsOf)} released records carry the ${what} of somebody in the original${place}${spelling}`
}

const SPELLING: Readonly<Record<Exclude<WrittenAs, 'as it is' | 'inside a text'>, string>> = {
  otherwise: 'spelled differently',
  MD5: 'as an MD5 digest',
  'SHA-1': 'as an SHA-1 digest',
  'SHA-256': 'as an SHA-256 digest',
}

function compute({ release, part }: Subject) {
  const seen = typeof part === 'number' ? release.identifiers[part] : undefined
  if (seen === undefined || seen.compared === 0)
    throw new NotApplicable('the original has no column that says who somebody is')
  const { identifiers, columns } = seen
  const scan = scanFor<NothingCarried>(release, identifiersKey(part))
  const compared = scan?.compared ?? seen.compared
  const ranked = columns
    .map((carried) => ({ carried, looks: looksAt(carried, compared) }))
    .sort((a, b) => placeOf(b.looks[0]) - placeOf(a.looks[0]))
  const details = { identifiers, comparisons: compared, carried: ranked.map(({ carried }) => described(carried)) }
  if (ranked.length === 0) return { value: 0, interval: null, narrow: true, isOfAll: scan !== undefined, details }
  const [{ carried, looks }] = ranked
  const [{ value, controls, effect }, other] = looks
  return {
    value,
    interval: null,
    controls,
    effect,
    people: carried.people.carrying,
    looks: [other],
    narrow: true,
    details,
  }
}

/** From the side that shows more, and from the other one. */
function looksAt({ records, people }: CarriedIdentifier, comparisons: number): readonly [Look, Look] {
  const look = (what: string, side: IdentifierSide): Look => ({
    what,
    value: side.carrying / side.of,
    controls: controlsOf(side),
    effect: effectOf(side, comparisons),
    people: people.carrying,
    narrow: true,
  })
  const ofRecords = look('as a share of released records', records)
  const ofPeople = look('as a share of people', people)
  return placeOf(ofRecords) >= placeOf(ofPeople) ? [ofRecords, ofPeople] : [ofPeople, ofRecords]
}

const BASIS: Readonly<Record<IdentifierSide['basis'], string>> = {
  'leave-one-out': 'people who share it with others',
  chance: 'numbers from the same range',
  outsiders: 'people outside the release',
}

function controlsOf({ byChance, basis }: IdentifierSide): Controls {
  return {
    fair: { value: byChance, se: null, what: BASIS[basis], basis },
    everything: { value: 1, se: null, what: 'the original itself' },
  }
}

function effectOf({ carrying, of, effective, byChance, chanceFrom }: IdentifierSide, comparisons: number): Effect {
  const effect = shareEffect((carrying / of) * effective, effective, byChance * chanceFrom, chanceFrom)
  return { ...effect, p: Math.min(1, comparisons * effect.p) }
}

/** The lower bound of leakage. */
function placeOf({ effect, controls }: Look): number {
  const ceiling = 1 - (controls.fair?.value ?? 0)
  return ceiling <= 0 ? Number.NEGATIVE_INFINITY : effect.lower / ceiling
}

function described({ column, releasedColumn, written, records, people }: CarriedIdentifier) {
  return {
    column,
    releasedColumn,
    written,
    records: records.carrying,
    recordsOf: records.of,
    people: people.carrying,
    peopleOf: people.of,
  }
}
