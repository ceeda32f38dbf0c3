import { type Gate, gateHeadline, unfinishedTexts } from '@scrim/core'
import { textTable, wrap } from './text-table.js'

const WIDEST = 80
const NARROWEST_NAME = 10

/** One line per outcome, failures first; then what there is to say about waivers and the baseline; the count last. */
export function gateText(gate: Gate, columns: number): string {
  const width = Math.min(columns, WIDEST)
  const remarks = [...gate.remarks, ...unfinishedTexts(gate)]
  return [
    outcomeTable(gate, width),
    ...remarks.flatMap((remark) => wrap(remark, width - 2).map((line, k) => `${k === 0 ? '- ' : '  '}${line}\n`)),
    ...(remarks.length > 0 ? ['\n'] : []),
    `${gateHeadline(gate)}\n`,
  ].join('')
}

function outcomeTable({ outcomes }: Gate, width: number): string {
  const rows = outcomes.map(({ status, rule, release, target, foundText, limitText }) => [
    status,
    rule,
    target === null ? release : `${release} (${target})`,
    foundText,
    limitText,
  ])
  const titles = ['outcome', 'rule', 'release', 'found (leakage)', 'allowed']
  const widths = titles.map((title, j) => Math.max(title.length, ...rows.map((row) => [...row[j]].length)))
  const tooWide = widths.reduce((sum, each) => sum + each + 2, -2) - width
  const ofRelease = Math.max(0, Math.min(tooWide, widths[2] - NARROWEST_NAME))
  const ofRule = Math.max(0, Math.min(tooWide - ofRelease, widths[1] - NARROWEST_NAME))
  const cut = rows.map(([status, rule, release, ...rest]) => [
    status,
    shortened(rule, widths[1] - ofRule),
    shortened(release, widths[2] - ofRelease),
    ...rest,
  ])
  return `${textTable(
    titles.map((title) => ({ title })),
    cut,
    width,
  )}\n`
}

/** Names differ at their ends more often than in the middle. */
function shortened(text: string, width: number): string {
  const characters = [...text]
  if (characters.length <= width) return text
  const head = Math.floor((width - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (width - 1 - head)).join('')}`
}
