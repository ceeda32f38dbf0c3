import { isAlarm, type Level } from '../../assess/judge.js'
import { isOpen, untestedOutside } from '../../assess/sentences.js'
import type { Chart } from '../../chart/chart.js'
import type { Anchor } from '../../compare/anchors.js'
import type { Candidate, Comparison, Placed } from '../../compare/comparison.js'
import { type Audience, type Discretion, discretionFor } from '../../discretion.js'
import { THREAT_TEXT, THREATS, type Threat } from '../../evidence/threats.js'
import type { AnyMeasure, Result } from '../../measure.js'
import { fixed, grouped, percent, significant } from '../../print.js'
import { INTERVAL_LEVEL, SIGNIFICANCE } from '../../stats/levels.js'
import {
  type FileRow,
  filesFor,
  type Method,
  methodsOf,
  notesFor,
  type Provenance,
  runRows,
  subjectParts,
  withTarget,
} from '../document.js'
import { reasonText } from '../findings/reasons.js'
import { type TableView, tableUnlessEmpty, tableView } from '../findings/table-view.js'
import { mapChart } from '../pictures/map-chart.js'
import { displaysOf, type QuestionedPicture } from './displays.js'

/** The map of several candidates as a document, in plain values; the ten displays of one comparison. */
export interface ComparisonView {
  readonly audience: Audience
  readonly title: string
  readonly subject: string
  /** What to do with it, in a few sentences. */
  readonly headline: readonly string[]
  readonly candidates: readonly CandidateRow[]
  readonly untested: readonly Untested[]
  readonly anchors: readonly Anchor[]
  readonly anchorTable: TableView
  readonly map: Chart | null
  readonly pictures: readonly QuestionedPicture[]
  /** Displays that these candidates are too few, or too many, for. */
  readonly notDrawn: readonly string[]
  /** What two threats add about each person, as a correlation over people. */
  readonly agreement: TableView | null
  readonly overCandidates: string
  readonly drivers: TableView | null
  /** For readers inside, by candidate. */
  readonly exposed: readonly { readonly candidate: string; readonly table: TableView }[]
  /** For each candidate what each threat and measure says, beside its controls. */
  readonly every: readonly TableView[]
  readonly methods: readonly Method[]
  readonly files: readonly FileRow[]
  readonly run: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
}

interface CandidateRow {
  readonly name: string
  readonly level: Level
  readonly recommendation: string
  readonly leakage: string
  readonly leakageBounds: string
  /** The threat that the leakage is of. */
  readonly threat: string
  readonly utility: string
  readonly utilityBounds: string
  readonly front: string
  readonly dominated: string
  readonly inEveryMeasure: string
}

/** Threats that could have been tested, and were not. */
interface Untested {
  readonly threats: string
  readonly reason: string
  /** Null: of every candidate. */
  readonly of: string | null
}

const NONE = '–'

export function comparisonView(
  exact: Comparison,
  results: readonly (readonly Result[])[],
  registry: readonly AnyMeasure[],
  provenance: Provenance,
  audience: Audience,
): ComparisonView {
  const numbers = discretionFor(audience)
  const comparison = discreet(exact, numbers)
  const { original, keys, anchors, candidates } = comparison
  const { pictures, notDrawn } = displaysOf(comparison)
  const used = [...new Set(results.flat().map(({ measure }) => measure))]
  const notes = [...new Set(exact.assessments.flatMap((one) => notesFor(audience, one)))]
  return {
    audience,
    title: `Risk and utility of ${candidates.length === 1 ? candidates[0].name : `${candidates.length} candidates`} for the release of ${original.name}`,
    subject: subjectParts(comparison, numbers).join(' · '),
    headline: headlineOf(candidates, comparison),
    candidates: exact.candidates.map((candidate) => candidateRow(candidate, original.records, numbers)),
    untested: untestedOf(exact, numbers),
    anchors,
    anchorTable: tableView(
      'Anchors: what the two scales are made of',
      ['anchor', 'leakage', 'utility', 'how it is known'],
      anchors.map(({ name, risk, utility, how }) => [name, percent(risk, 0), percent(utility, 0), how]),
    ),
    map: isOnMap(comparison) ? mapChart(comparison.candidates, anchors) : null,
    pictures,
    notDrawn,
    agreement: tableUnlessEmpty(
      'Spearman’s correlation of what two threats add about each person',
      ['candidate', 'threats', 'correlation', 'people'],
      candidates.flatMap((candidate) => agreementRows(candidate, numbers)),
    ),
    overCandidates: overCandidatesText(comparison),
    drivers: tableUnlessEmpty(
      'Groups of people about whom more is revealed than about others',
      ['candidate', 'threat', 'group', 'people', 'adds, each'],
      exact.candidates.flatMap(({ name, drivers }) =>
        drivers
          .filter(({ people }) => numbers.mayName(people))
          .map(({ threat, column, level, people, mean }) => [
            name,
            THREAT_TEXT[threat].title,
            `${column} ${level}`,
            numbers.count(people, original.records),
            numbers.share(mean, people),
          ]),
      ),
    ),
    exposed: audience === 'internal' ? candidates.flatMap((candidate) => exposedTable(candidate, keys)) : [],
    every: exact.assessments.map((assessment, index) =>
      everyMeasure(assessment, exact.candidates[index], original.records, numbers),
    ),
    methods: methodsOf(
      registry.filter(({ id }) => used.includes(id)),
      results.flat(),
      audience,
    ),
    files: filesFor(audience, provenance),
    run: [...runRows(provenance, exact.seed), ['draws behind the intervals', String(exact.draws)]],
    notes,
  }
}

/** The comparison as exact as it may be known: every display is made of what this leaves. */
function discreet(comparison: Comparison, numbers: Discretion): Comparison {
  if (numbers.audience === 'internal') return comparison
  const people = comparison.original.records
  const risk = <One extends Placed>(placed: One): One => ({
    ...placed,
    value: numbers.shareValue(placed.value, people),
    ...numbers.boundValues(placed, people),
  })
  const useful = <One extends Placed>(placed: One): One => ({
    ...placed,
    value: toHundredth(placed.value),
    lower: toHundredth(placed.lower),
    upper: toHundredth(placed.upper),
  })
  return {
    ...comparison,
    anchors: comparison.anchors.map((anchor) => ({
      ...anchor,
      risk: numbers.shareValue(anchor.risk, people),
      utility: toHundredth(anchor.utility),
    })),
    candidates: comparison.candidates.map((candidate) => ({
      ...candidate,
      risk: candidate.risk === null ? null : risk(candidate.risk),
      utility: candidate.utility === null ? null : useful(candidate.utility),
      exposure: candidate.exposure === null ? null : numbers.shareValue(candidate.exposure, people),
      scores: candidate.scores.map((score) => ({
        ...score,
        place: score.place === null ? null : score.block === 'risk' ? risk(score.place) : useful(score.place),
      })),
      exposed: null,
    })),
    dominance: {
      ...comparison.dominance,
      probabilities: comparison.dominance.probabilities.map((row) => row.map(toHundredth)),
    },
  }
}

const toHundredth = (value: number) => Math.round(100 * value) / 100

function isOnMap({ candidates }: Comparison): boolean {
  return candidates.some(({ risk, utility }) => risk !== null && utility !== null)
}

function headlineOf(candidates: readonly Candidate[], { dominance, assessments }: Comparison): string[] {
  const of = (level: Level) => candidates.filter((one) => one.level === level)
  const useful = (among: readonly Candidate[]) =>
    [...among].sort((a, b) => (b.utility?.value ?? -1) - (a.utility?.value ?? -1))[0]
  const may = of('LOW')
  const alarmed = candidates.filter(({ level }) => isAlarm(level))
  const best = useful(may)
  const isUntested = assessments
    .flatMap(({ releases }) => releases)
    .some(({ name, threats }) => may.some((one) => one.name === name) && untestedOutside(threats).length > 0)
  const first =
    best === undefined
      ? alarmed.length === candidates.length
        ? 'None of them is suitable for wider release as it is.'
        : 'None of them is shown to be safe for wider release.'
      : `${isUntested ? 'Nothing that could be tested speaks against wider release of' : 'Suitable for wider release on this evidence:'} ${may.map(({ name }) => name).join(', ')}${
          may.length > 1 ? `; the most useful of these is ${best.name}` : ''
        }${best.utility === null ? '' : `, with utility ${percent(best.utility.value, 0)} (${best.utility.level.toLowerCase()})`}.`
  return [
    first,
    ...(alarmed.length === 0 || best === undefined
      ? []
      : [`Not suitable: ${alarmed.map(({ name, level }) => `${name} (${level})`).join(', ')}.`]),
    ...frontSentences(candidates, dominance),
  ]
}

function frontSentences(candidates: readonly Candidate[], { names, probabilities }: Comparison['dominance']): string[] {
  const labelled = (label: string) => candidates.filter(({ front }) => front?.label === label)
  const named = (of: readonly Candidate[]) => of.map(({ name }) => name).join(', ')
  const [on, open, out] = ['on the front', 'undecided', 'dominated'].map(labelled)
  const often = ({ name, front }: Candidate) =>
    `${name} (dominated in ${percent(1 - (front?.probability ?? 1), 0)} of draws)`
  const winner = ({ name }: Candidate) => {
    const loser = names.indexOf(name)
    const [best] = names
      .map((by, i) => ({ by, probability: probabilities[i][loser] }))
      .sort((a, b) => b.probability - a.probability)
    return `${name} (by ${best.by} in ${percent(best.probability, 0)} of draws)`
  }
  return [
    ...(on.length === 0 ? [] : [`On the front, so that no other is both safer and more useful: ${named(on)}.`]),
    ...(open.length === 0 ? [] : [`Not decided by these data: ${open.map(often).join(', ')}.`]),
    ...(out.length === 0 ? [] : [`Dominated: ${out.map(winner).join(', ')}.`]),
  ]
}

function candidateRow(candidate: Candidate, people: number, numbers: Discretion): CandidateRow {
  const { name, level, recommendation, risk, utility, front } = candidate
  const share = (probability: number) => (probability > 0 && probability < 0.005 ? '<1 %' : percent(probability, 0))
  return {
    name,
    level,
    recommendation,
    leakage: risk === null ? NONE : numbers.leakage(risk.value, people),
    leakageBounds: risk === null ? NONE : numbers.leakageBounds(risk, people),
    threat: heaviestText(candidate),
    utility: utility === null ? NONE : percent(utility.value, 0),
    utilityBounds: utility === null ? NONE : rangeText(utility),
    front: front?.label ?? NONE,
    dominated: front === null ? NONE : share(1 - front.probability),
    inEveryMeasure: front === null ? NONE : share(front.inEveryMeasure),
  }
}

/** The largest leakage may be that of a threat with a milder verdict, where it may be chance: then that is said. */
function heaviestText({ level, risk, scores }: Pick<Candidate, 'level' | 'risk' | 'scores'>): string {
  if (risk === null) return NONE
  const own = scores.find(({ id, target }) => id === risk.threat && target === risk.target)?.level ?? level
  return `${titleOf(risk)}${own === level ? '' : `, which is ${own}`}`
}

function rangeText({ lower, upper }: Placed): string {
  return `${percent(lower, 0)} to ${percent(upper, 0)}`
}

function untestedOf({ assessments, candidates, original }: Comparison, numbers: Discretion): Untested[] {
  const open = assessments.flatMap(({ releases, type }) =>
    releases.flatMap(({ name, threats }) =>
      threats
        .filter((threat) => isOpen(threat, type))
        .map((threat) => ({
          name,
          title: THREAT_TEXT[threat.threat].title,
          reason: threat.reason === null ? 'no reason given' : reasonText(threat.reason, numbers, original.records),
        })),
    ),
  )
  const failed = candidates.flatMap(({ name, incomplete }) =>
    incomplete
      .filter((id) => !THREATS.some((threat) => threat === id))
      .map((id) => ({ name, title: id, reason: 'the measure failed' })),
  )
  const all = [...open, ...failed]
  return [...new Set(all.map(({ reason }) => reason))].map((reason) => {
    const own = all.filter((one) => one.reason === reason)
    const names = [...new Set(own.map(({ name }) => name))]
    return {
      threats: [...new Set(own.map(({ title }) => title))].join(', '),
      reason,
      of: names.length === candidates.length ? null : names.join(', '),
    }
  })
}

/** Who is flagged by two threats is about persons, but the correlation over all of them is about nobody. */
function agreementRows({ name, agreement }: Candidate, numbers: Discretion): string[][] {
  const decimals = numbers.audience === 'internal' ? 2 : 1
  return agreement.map(({ a, b, spearman, records }) => [
    name,
    `${titleOf(a)} and ${titleOf(b)}`,
    spearman === null ? NONE : fixed(spearman, decimals).replace(/^-(0\.0+)$/, '$1'),
    numbers.count(records, Number.POSITIVE_INFINITY),
  ])
}

function titleOf({ threat, target }: { readonly threat: Threat; readonly target: string | null }): string {
  return withTarget(THREAT_TEXT[threat].title, target)
}

function overCandidatesText({ agreement }: Comparison): string {
  if (agreement.measures === null) return `Over candidates: ${agreement.reason}.`
  const { measures, spearman, alpha } = agreement
  const pairs = measures
    .flatMap((a, i) => measures.slice(i + 1).map((b, j) => ({ a, b, r: spearman[i][i + 1 + j] })))
    .flatMap((pair) => (pair.r === null ? [] : [{ ...pair, r: pair.r }]))
    .sort((x, y) => x.r - y.r)
  const text = (of: (typeof pairs)[number]) => `${of.a} and ${of.b} ${fixed(of.r, 2)}`
  const block = (name: string, one: typeof alpha.risk) =>
    one === null
      ? ''
      : ` Cronbach's alpha of ${name}: ${fixed(one.value, 2)} (${fixed(one.lower, 2)} to ${fixed(one.upper, 2)}).`
  const ends = pairs.length === 0 ? '' : ` Spearman: least ${text(pairs[0])}, most ${text(pairs[pairs.length - 1])}.`
  return `Over candidates:${ends}${block('risk', alpha.risk)}${block('utility', alpha.utility)}`
}

function exposedTable({ name, exposed }: Candidate, keys: readonly string[]): ComparisonView['exposed'] {
  if (exposed === null || exposed.length === 0) return []
  const threats = exposed[0].by.map(({ threat }) => threat)
  const addedText = ({ added, percentile }: (typeof exposed)[number]['by'][number]) =>
    `${added < 0 ? '' : '+'}${fixed(added, 2)} (above ${percent(percentile, 0)} of people)`
  const rows = exposed.map(({ row, keys: values, by }) => [
    grouped(row),
    ...values,
    ...threats.map((threat) => {
      const found = by.find((one) => one.threat === threat)
      return found === undefined ? NONE : addedText(found)
    }),
  ])
  const columns = ['row', ...keys, ...threats.map((threat) => THREAT_TEXT[threat].title)]
  const caption = 'Rows of the original, with what each threat adds about the person'
  return [{ candidate: name, table: tableView(caption, columns, rows) }]
}

/** The report table of section 5, with controls and intervals; a status says what the judge said, never a cut alone. */
function everyMeasure(
  { releases: [release] }: Comparison['assessments'][number],
  candidate: Candidate,
  people: number,
  numbers: Discretion,
): TableView {
  const figure = (value: number | null | undefined, unit: string | null) => {
    if (value === null || value === undefined) return NONE
    if (unit === 'share' || unit === 'difference') return numbers.share(value, people)
    return String(significant(value, numbers.audience === 'internal' ? 3 : 2))
  }
  const placeOf = (id: string, target: string | null) =>
    candidate.scores.find((score) => score.id === id && score.target === target)?.place ?? null
  const threats = release.threats.filter(({ level }) => level !== 'NOT ASSESSED')
  const measures = (release.utility?.measures ?? []).filter(({ scale }) => scale !== null)
  const rows = [
    ...threats.map(({ threat, target, level, value, unit, controls, decidedBy }) => {
      const place = placeOf(threat, target)
      return [
        `${titleOf({ threat, target })}${decidedBy === null ? '' : `: ${decidedBy}`}`,
        figure(value, unit),
        figure(controls?.nothing?.value, unit),
        figure(controls?.fair?.value, unit),
        figure(controls?.everything?.value, unit),
        place === null ? NONE : numbers.share(place.value, people, 0),
        place === null ? NONE : numbers.bounds(place, people),
        level,
      ]
    }),
    ...measures.map(({ measure, target, value, unit, nothing, honest, p }) => {
      const place = placeOf(measure, target)
      return [
        withTarget(measure, target),
        figure(value, unit),
        figure(nothing, unit),
        figure(honest, unit),
        NONE,
        place === null ? NONE : percent(place.value, 0),
        place === null ? NONE : rangeText(place),
        p === null ? NONE : p < SIGNIFICANCE ? 'differs' : 'no difference shown',
      ]
    }),
  ]
  const interval = `${percent(INTERVAL_LEVEL, 0)} interval`
  const columns = ['threat or measure', 'value', 'nothing', 'fair', 'everything', 'place', interval, 'status']
  return tableView(candidate.name, columns, rows)
}
