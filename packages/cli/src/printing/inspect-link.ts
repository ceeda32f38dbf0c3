import { type InspectedLink, inspectLink, percent, type Release, significant, UserError } from '@scrim/core'
import { wholeNumber } from '../options/arguments.js'
import { textTable, wrap } from './text-table.js'

/** One person of the intruder's file with the released records that fit best, per release. It shows single records. */
export async function inspectedLinks(
  measure: string,
  release: Release,
  options: object,
  row: string,
  seed: number | undefined,
  width: number,
): Promise<string> {
  if (measure !== 'record-linkage')
    throw new UserError(`--inspect shows the links of record-linkage; ${measure} makes none`)
  const texts: string[] = []
  for (const part of release.released.keys())
    texts.push(linkText(await inspectLink(release, part, options, wholeNumber('--inspect', row), { seed }), width))
  return `${['For internal use only: this shows single records.\n', ...texts].join('\n')}`
}

function linkText({ release, method, names, person, risk, candidates, best }: InspectedLink, width: number): string {
  const right = { align: 'right' as const }
  const columns = [
    { title: 'record' },
    { title: 'named', ...right },
    { title: 'cost', ...right },
    ...names.map((title) => ({ title })),
  ]
  const value = (cell: string | number | null, cost: number | undefined) =>
    `${cell ?? '-'}${cost === undefined ? '' : ` (${figure(cost)})`}`
  const rows = [
    [`person ${person.row}`, '', '', ...person.values.map((of) => value(of, undefined))],
    ...best.map((link) => [
      `${link.row}${link.own ? ' own' : ''}`,
      percent(link.weight),
      figure(link.cost),
      ...link.values.map((of, v) => value(of, link.byKey[v])),
    ]),
  ]
  const chance = risk === null ? 'whose record is whose is not known' : `their own is named with ${percent(risk)}`
  const head = `${release}, ${method}: ${candidates} candidates; ${chance}. In brackets what a key adds to the cost.`
  return `${wrap(head, width).join('\n')}\n\n${textTable(columns, rows, width)}`
}

function figure(cost: number): string {
  return Number.isFinite(cost) ? String(significant(cost)) : 'impossible'
}
