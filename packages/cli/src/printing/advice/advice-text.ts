import {
  type Advice,
  BOUND_LEVEL,
  type Confirmed,
  count,
  type Difference,
  type GaugedUtility,
  percent,
  planText,
  type Release,
  THREAT_TEXT,
  type Tried,
} from '@scrim/core'
import { type Face, madeText, withArguments } from '../../faces.js'
import { shellText } from '../../shell.js'
import { textTable, wrap } from '../text-table.js'
import type { AdviceCommands } from './advice-commands.js'

export interface AdviceReport {
  readonly advice: Advice
  readonly commands: (tried: Tried) => AdviceCommands
  readonly release: Release
  readonly interrupted: boolean
  readonly seconds: number
  /** What the first change that found no time would have needed; null where there was time for all. */
  readonly minutesNeeded: number | null
  /** The file that the recommended release was written to. */
  readonly written: string | null
}

const NONE = '-'
const SEED_WARNING = 'The seed is in these commands: whoever knows it can undo what was drawn. Keep it to yourself.'

/** What helps first, in a shell with the commands that make it; then everything that was tried. */
export function adviceText(report: AdviceReport, face: Face, width: number): string {
  const { advice, release, seconds, interrupted } = report
  const { base, tried, confirmed } = advice
  const unconfirmed = interrupted && advice.front.length > 0
  const hasCommands = face === 'shell' && (confirmed.length > 0 || unconfirmed)
  const head = `${release.released[0].name} as it is: ${base.improvement.level}; heaviest threat: ${heaviest(base)}; utility ${utilityText(base.trial.utility)}.`
  const parts = [
    wrap(head, width).join('\n'),
    wrap(
      `${count(tried.length, 'change')} tried in ${Math.round(seconds)} s${interrupted ? '; interrupted, so that nothing was measured again' : ''}.`,
      width,
    ).join('\n'),
    wrap(withArguments(sentenceOf(report, face), face), width).join('\n'),
    ...confirmed.map((one, k) => finalistText(one, k + 1, face === 'shell' ? report.commands(one.again) : null, width)),
    ...(tried.length === 0 ? [] : [triedTable(advice, width)]),
    ...(unconfirmed && hasCommands ? [unconfirmedText(report)] : []),
    ...(hasCommands ? [wrap(SEED_WARNING, width).join('\n')] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function sentenceOf({ advice, interrupted, written, minutesNeeded }: AdviceReport, face: Face): string {
  const { base, tried, recommended, confirmed } = advice
  if (base.improvement.level === 'LOW') return 'It is LOW already: nothing needs to be changed.'
  if (base.improvement.level === 'NOT ASSESSED') return 'Nothing could be assessed, so that no change can be judged.'
  const file = written === null ? '' : ` ${madeText(written, face)}`
  if (recommended !== null)
    return `Recommended: ${planText(recommended.tried.trial.plan)}. It turns ${base.improvement.level} into ${recommended.level}, also when made anew and measured again; utility goes from ${utilityText(base.trial.utility)} to ${utilityText(recommended.again.trial.utility)}.${file}`
  if (interrupted) return 'Interrupted: below is what was measured once.'
  if (tried.length === 0 && minutesNeeded !== null)
    return `Nothing was tried: measuring the release as it is took the time that there was. --budget ${minutesNeeded} leaves room for a first change and for measuring it again; --trials 5 tries five, however long that takes.`
  if (tried.length === 0)
    return 'Nothing was tried: there is nothing that scrim could change (keys and the synthesizer say what can be).'
  return confirmed.length > 0
    ? 'Nothing helps for sure: what brought a better verdict once did not when made anew and measured again.'
    : 'Nothing that was tried brings a better verdict. Below is what each change does; a release under controlled access, or another synthesis, is what is left.'
}

function finalistText(
  { tried, again, level }: Confirmed,
  place: number,
  commands: AdviceCommands | null,
  width: number,
): string {
  const inner = width - INDENT.length
  const both = [
    ['found', tried],
    ['again', again],
  ] as const
  const rows = both.map(([what, one]) => [
    what,
    one.improvement.level,
    heaviest(one),
    utilityText(one.trial.utility),
    differenceText(one.utilityChange),
  ])
  const right = { align: 'right' as const }
  return [
    ...wrap(`${place}. ${planText(tried.trial.plan)}: ${level}`, width),
    indented(
      textTable(
        [
          { title: '' },
          { title: 'verdict' },
          { title: 'heaviest threat', fold: true },
          { title: 'utility', ...right },
          { title: 'change of it', ...right },
        ],
        rows,
        inner,
      ),
    ),
    '',
    indented(buysTable(again, inner)),
    ...(commands === null
      ? []
      : [
          '',
          `${INDENT}make it:`,
          ...commands.make.map((words) => `${INDENT}${INDENT}${shellText(words)}`),
          `${INDENT}check it:`,
          ...commands.assess.map((words) => `${INDENT}${INDENT}${shellText(words)}`),
        ]),
  ].join('\n')
}

const INDENT = '  '
const MOST_UNCONFIRMED = 3

/** Of a search that was interrupted: how to make what is on the front so far. */
function unconfirmedText({ advice, commands }: AdviceReport): string {
  return advice.front
    .slice(0, MOST_UNCONFIRMED)
    .flatMap((tried) => [
      `To make "${planText(tried.trial.plan)}":`,
      ...commands(tried).make.map((words) => `${INDENT}${shellText(words)}`),
    ])
    .join('\n')
}

/** What it buys, threat by threat. */
function buysTable({ improvement }: Tried, width: number): string {
  const named = new Set(improvement.threats.flatMap(({ target }) => target ?? [])).size > 1
  const rows = improvement.threats.map(({ threat, target, before, level, leakage, seen, change }) => [
    `${THREAT_TEXT[threat].title}${target === null || !named ? '' : ` (${target})`}`,
    before === level ? level : `${before} to ${level}`,
    leakageText(leakage),
    seen ? differenceText(change) : 'not seen any more',
  ])
  const right = { align: 'right' as const }
  return textTable(
    [
      { title: 'threat', fold: true },
      { title: 'verdict' },
      { title: 'leakage', ...right },
      { title: 'change', ...right },
    ],
    rows,
    width,
  )
}

/** All trials, the front marked, safest first within what is on it and what is not. */
function triedTable({ base, tried, front }: Advice, width: number): string {
  const others = tried.filter((one) => !front.includes(one)).sort((a, b) => a.improvement.burden - b.improvement.burden)
  const rows = [...front, ...others].map((tried) => [
    front.includes(tried) ? '*' : '',
    planText(tried.trial.plan),
    tried.improvement.level,
    leakageText(tried.improvement.worst?.leakage ?? null),
    differenceText(changeOfWorst(base, tried)),
    differenceText(tried.utilityChange),
  ])
  const isUnseen = base.improvement.worst !== null && tried.some((one) => changeOfWorst(base, one) === null)
  const unseen = isUnseen ? ' -: that threat cannot be seen any more, and counts as it was.' : ''
  const right = { align: 'right' as const }
  const what = base.improvement.worst === null ? 'leakage' : THREAT_TEXT[base.improvement.worst.threat].title
  return [
    ...wrap(
      `Everything that was tried (*: on the front: nothing else is as safe and as useful). heaviest: leakage by the threat with the worst verdict, as assess lists them; leakage: its change by ${what}, the heaviest as it is; utility: its change, + is more useful; points, with one-sided ${percent(BOUND_LEVEL, 0)} bounds.${unseen}`,
      width,
    ),
    '',
    textTable(
      [
        { title: '' },
        { title: 'change', fold: true },
        { title: 'verdict' },
        { title: 'heaviest', ...right },
        { title: 'leakage', ...right },
        { title: 'utility', ...right },
      ],
      rows,
      width,
    ).trimEnd(),
  ].join('\n')
}

function changeOfWorst(base: Tried, tried: Tried): Difference | null {
  const { worst } = base.improvement
  return (
    tried.improvement.threats.find(({ threat, target }) => threat === worst?.threat && target === worst.target)
      ?.change ?? null
  )
}

function heaviest({ improvement: { worst } }: Tried): string {
  if (worst === null) return 'none known'
  const { title } = THREAT_TEXT[worst.threat]
  return worst.leakage === null ? title : `${title}, ${leakageText(worst.leakage)}`
}

function leakageText(leakage: number | null): string {
  return leakage === null ? NONE : percent(leakage, 0)
}

function utilityText({ score }: GaugedUtility): string {
  return score === null ? 'unknown' : percent(score, 0)
}

/** `-27 (-33 to -21)`, in points. */
function differenceText(difference: Difference | null): string {
  if (difference === null) return NONE
  const points = (share: number) => {
    const whole = Math.round(100 * share)
    return whole > 0 ? `+${whole}` : String(whole + 0)
  }
  const { value, lower, upper } = difference
  return lower === null || upper === null ? points(value) : `${points(value)} (${points(lower)} to ${points(upper)})`
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${INDENT}${line}`)
    .join('\n')
}
