import { type AnswerView, inOneLine, type ReleaseView, type ThreatFindings, type UtilityView } from '@scrim/core'
import { shortened, textTable, wrap } from './text-table.js'

/** The answer laid out on a screen: what may be done with each release first, then what that rests on. */
export function answerText(view: AnswerView, next: readonly string[], width: number): string {
  const parts = [
    ...view.first.map((sentence) => paragraph(sentence, width)),
    paragraph(view.subject, width),
    view.labels.flatMap((label) => wrap(label, width)).join('\n'),
    ...view.releases.map((one) => releaseText(one, width)),
    ...(view.together === null ? [] : [paragraph(view.together, width)]),
    list('Failed (please report this)', view.failed, width),
    list('Notes', view.notes, width),
    list('Next', next, width),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function releaseText(release: ReleaseView, width: number): string {
  const inner = width - INDENT.length
  return [
    inOneLine(`${release.level}: ${release.name}`),
    indented(wrap(release.recommendation, inner)),
    indented(wrap(release.sentence, inner)),
    ...(release.threats.length === 0 ? [] : ['', indented(threatsTable(release, inner).trimEnd().split('\n'))]),
    ...section('What each rests on, leakage = (value - fair) / (original - its fair)', release.restsOn, width),
    ...section('What drives it', release.drivers, width),
    ...section('Which columns carry it', release.columns, width),
    ...section('Structure', release.behind.slice(0, MOST_FACTS), width),
    ...section('Contradicting', release.contradicts, width),
    ...section('Supporting', release.supports, width),
    ...section('Nothing to tell', release.nothingToTell, width),
    ...section('Not tested', release.untested, width),
    ...section('What would settle it', release.settles, width),
    ...(release.utility === null ? [] : ['', indented(utilityLines(release.utility, inner))]),
  ].join('\n')
}

const INDENT = '  '
/** The rest is in the JSON; the answer fits on one screen. */
const MOST_FACTS = 3

/** How useful it is, in a few lines. */
function utilityLines(view: UtilityView, width: number): string[] {
  const worst = view.worstPairs.length > 0 ? view.worstPairs : view.worstColumns
  return [
    ...wrap(`Utility ${view.level} ${view.score}: ${view.sentence}.`, width),
    ...scoreLines(view, width),
    ...(worst.length === 0 ? [] : wrap(`Worst (1 is what chance gives): ${worst.join(', ')}.`, width)),
  ]
}

function scoreLines(view: UtilityView, width: number): string[] {
  return [
    ...wrap(
      `Relations ${view.relations}, columns ${view.columns} (0 %: keeps nothing; 100 %: an honest sample).`,
      width,
    ),
    ...(view.samples === null ? [] : wrap(`As far off as a random sample of ${view.samples} of the original.`, width)),
    ...(view.incomplete.length === 0 ? [] : wrap(`Incomplete: ${view.incomplete.join(', ')} failed.`, width)),
  ]
}

/** Utility alone: the answer per release, and below it every measure beside what an honest sample gives. */
export function utilityText(
  view: AnswerView,
  notComputed: readonly string[],
  next: readonly string[],
  width: number,
): string {
  const parts = [
    paragraph(view.subject, width),
    ...view.releases.flatMap(({ name, utility }) => (utility === null ? [] : [utilityBlock(name, utility, width)])),
    list('Not computed', notComputed, width),
    list('Failed (please report this)', view.failed, width),
    list('Notes', view.notes, width),
    list('Next', next, width),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function utilityBlock(name: string, view: UtilityView, width: number): string {
  const inner = width - INDENT.length
  return [
    inOneLine(`${view.level} ${view.score}: ${name}`),
    indented([
      ...wrap(`${view.sentence[0].toUpperCase()}${view.sentence.slice(1)}.`, inner),
      ...scoreLines(view, inner),
    ]),
    '',
    indented(utilityTable(view, inner).trimEnd().split('\n')),
    ...section('Worst columns (S_pMSE)', view.worstColumns, width),
    ...section('Worst pairs (S_pMSE)', view.worstPairs, width),
  ].join('\n')
}

/** Every measure of utility beside what an honest sample gives. */
export function utilityTable({ measures }: UtilityView, width: number): string {
  const right = { align: 'right' as const }
  const columns = [
    { title: 'measure', fold: true },
    { title: 'value', ...right },
    { title: 'honest', ...right },
    { title: 'ratio', ...right },
    { title: 'place', ...right },
    { title: 'sample', ...right },
    { title: 'p', ...right },
  ]
  const rows = measures.map((row) => [row.measure, row.value, row.honest, row.ratio, row.place, row.sample, row.p])
  return textTable(columns, rows, width)
}

/** On a narrower screen it would push the others out of the lines; JSON and reports have it. */
const ROOM_FOR_EXPOSURE = 70

function threatsTable({ threats }: ReleaseView, width: number): string {
  const columns = [
    { title: 'threat', fold: true },
    { title: 'verdict' },
    { title: 'leakage', align: 'right' as const },
    { title: 'bounds', align: 'right' as const },
    { title: 'exposure', align: 'right' as const, spare: width < ROOM_FOR_EXPOSURE },
    { title: 'people', align: 'right' as const },
  ]
  const rows = threats.map(({ title, level, leakage, bounds, exposure, people }) => [
    title,
    level,
    leakage,
    bounds,
    exposure,
    people,
  ])
  return textTable(columns, rows, width)
}

function section(title: string, items: readonly string[], width: number): string[] {
  return items.length === 0 ? [] : ['', indented(list(title, items, width - INDENT.length).split('\n'))]
}

function paragraph(text: string, width: number): string {
  return wrap(text, width).join('\n')
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${INDENT}${line}`)).join('\n')
}

export function list(title: string, items: readonly string[], width: number): string {
  if (items.length === 0) return ''
  const lines = items.flatMap((item) => wrap(item, width - 4).map((line, k) => `${k === 0 ? '- ' : '  '}${line}`))
  return [...wrap(`${title}:`, width), ...lines].join('\n')
}

/**
 * Every measure of one release below the answer, two lines each: the verdict or what the measure is to it, the leakage
 * that a verdict rests on, the value between what it stands beside; then what it says, as far as the line goes.
 */
export function findingsText(threats: readonly ThreatFindings[], width: number): string {
  const right = { align: 'right' as const }
  const columns = [
    { title: 'verdict' },
    { title: 'measure' },
    { title: 'leakage', ...right },
    { title: 'value', ...right },
    { title: 'fair', ...right },
    { title: 'original', ...right },
    { title: 'its fair', ...right },
    { title: 'nothing', ...right, spare: true },
    { title: 'interval of value', ...right, spare: true },
  ]
  const findings = threats.flatMap((threat) => threat.findings)
  const rows = findings.map((row) => [
    row.standing,
    row.measure,
    row.leakage,
    row.value,
    row.fair,
    row.original,
    row.itsFair,
    row.nothing,
    row.interval,
  ])
  const [head, rule, ...lines] = textTable(columns, rows, width).trimEnd().split('\n')
  const shown = new Map(findings.map((row, k) => [row, lines[k]]))
  return [
    head,
    rule,
    ...threats.flatMap(({ title, findings: own }) => [
      `${title}:`,
      ...own.flatMap((row) => [
        shown.get(row) ?? '',
        `${DEEP}${shortened(row.notAssessed ?? row.sentence, width - DEEP.length)}`,
      ]),
    ]),
  ].join('\n')
}

const DEEP = '    '
