import { fixed } from '../../print.js'
import { cellName, type TableOutput } from '../description/description.js'
import { MODEL } from '../description/value.js'
import { outputText } from '../description/wording.js'
import type { Rule } from '../rules/finding.js'
import type { CheckedOutput, OutputCheck } from '../verdict/check-schema.js'
import type { Verdict } from '../verdict/verdict.js'
import { gridText, type TextGrid } from './text-grid.js'

/** A file of a results folder. */
export interface AcroFile {
  readonly name: string
  readonly text: string
}

/** The format of ACRO that is written. */
const ACRO_VERSION = '1.0.1'
const STATUS: Readonly<Record<Verdict, string>> = { release: 'pass', review: 'review', refuse: 'fail' }

/** Names of ACRO where it has the rule too; the others are scrim's own. */
const NAMES: Partial<Record<Rule, string>> = {
  zeros: 'threshold',
  dominance: 'nk-rule',
  'all-same': 'all-values-are-same',
}
const ALWAYS = ['negative', 'missing', 'threshold', 'p-ratio', 'nk-rule', 'all-values-are-same'] as const

/**
 * The check as a results folder of ACRO, for SACRO-Viewer: `results.json`, `config.json` and a CSV file per output with the cells that rules
 * found. The viewer counts cells after one column of labels, so that tables of more than two variables have their labels in one.
 */
export function acroFiles(check: OutputCheck, timestamp: string): AcroFile[] {
  const written = check.outputs.map((output) => ({ output, grids: gridsOf(output) }))
  const results = Object.fromEntries(
    written.map(({ output, grids }) => [output.id, resultOf(output, grids, timestamp)]),
  )
  return [
    { name: 'results.json', text: `${JSON.stringify({ version: ACRO_VERSION, results }, null, 4)}\n` },
    { name: 'config.json', text: `${JSON.stringify(configOf(check), null, 4)}\n` },
    ...written.flatMap(({ output, grids }) =>
      grids.map((grid, k) => ({ name: fileName(output.id, k), text: gridText(grid.cells) })),
    ),
  ]
}

function fileName(id: string, k: number): string {
  return `${id.replace(/[^\p{L}\p{N}._-]+/gu, '_')}_${k}.csv`
}

/** A sheet with one row of headings and one column of labels, and where each element is. */
interface Grid {
  readonly cells: TextGrid
  readonly placeOf: ReadonlyMap<string, readonly [number, number]>
}

function gridsOf(output: CheckedOutput): Grid[] {
  const { description } = output
  if (description.kind === 'table' && description.by.length <= 2) return [matrix(output, description)]
  const parts = [
    output.values.filter(({ element }) => element !== MODEL),
    output.values.filter(({ element }) => element === MODEL),
  ]
  const filled = parts.filter((values) => values.length > 0)
  // The viewer takes no folder in which an output has no file, not even one of which no number is left.
  return (filled.length > 0 ? filled : [[]]).map((values) =>
    sheet(values, description.kind === 'regression' ? 'term' : 'element'),
  )
}

function sheet(values: CheckedOutput['values'], heading: string): Grid {
  const elements = [...new Set(values.map(({ element }) => element))]
  const statistics = [...new Set(values.map(({ statistic }) => statistic))]
  const shown = new Map(values.map((one) => [`${one.element}\n${one.statistic}`, fixed(one.value, one.decimals)]))
  const places = elements.flatMap((element, row): [string, readonly [number, number]][] => [
    [element, [row, 0]],
    ...statistics.map((statistic, column): [string, [number, number]] => [`${element} ${statistic}`, [row, column]]),
  ])
  const rows = elements.map((element) => [
    element,
    ...statistics.map((statistic) => shown.get(`${element}\n${statistic}`) ?? ''),
  ])
  return { cells: [[heading, ...statistics], ...rows], placeOf: new Map(places) }
}

const TOTAL = 'All'

/** Levels of the first variable down, of the second across; one column of numbers where there is only one. */
function matrix({ values, support }: CheckedOutput, { by, totals, statistic }: TableOutput): Grid {
  const [down, across]: readonly (string | undefined)[] = by
  const shown = new Map(values.map((one) => [one.element, fixed(one.value, one.decimals)]))
  const levels = (name: string) => [...new Set(support.flatMap(({ cell }) => cell?.[name] ?? []))]
  const [rows, columns] = [down, across].map((name) =>
    name === undefined ? [statistic] : [...levels(name), ...(totals ? [TOTAL] : [])],
  )
  const nameAt = (row: string, column: string) =>
    cellName(by, {
      ...(row === TOTAL ? {} : { [down]: row }),
      ...(column === TOTAL || across === undefined ? {} : { [across]: column }),
    })
  const body = rows.map((row) => [row, ...columns.map((column) => shown.get(nameAt(row, column)) ?? '')])
  return {
    cells: [[down, ...columns], ...body],
    placeOf: new Map(rows.flatMap((row, i) => columns.map((column, j) => [nameAt(row, column), [i, j]] as const))),
  }
}

function resultOf(output: CheckedOutput, grids: readonly Grid[], timestamp: string) {
  const { id, description, verdict, findings, degreesOfFreedom, why } = output
  const type = description.kind === 'regression' ? 'regression' : 'table'
  const named = findings.map(({ rule, element }) => ({ flag: NAMES[rule] ?? rule, element }))
  const flags = [...new Set([...ALWAYS, ...named.map(({ flag }) => flag)])]
  const counts = flags.map((flag) => [flag, named.filter((one) => one.flag === flag).length] as const)
  const suppressed = description.kind === 'table' && description.suppressed.length > 0
  const broken = counts.filter(([, count]) => count > 0).map(([flag, count]) => `${flag}: ${count} found; `)
  return {
    uid: id,
    status: STATUS[verdict],
    type,
    properties: {
      method: description.kind === 'regression' ? description.family : description.kind,
      ...(degreesOfFreedom === null ? {} : { dof: degreesOfFreedom }),
    },
    files: grids.map(({ placeOf }, k) => ({
      name: fileName(id, k),
      sdc: {
        summary: { suppressed, ...Object.fromEntries(counts) },
        cells: Object.fromEntries(
          flags.map((flag) => {
            const places = named.filter((one) => one.flag === flag).map(({ element }) => placeOf.get(element))
            return [flag, places.filter((place) => place !== undefined)]
          }),
        ),
      },
    })),
    outcome: outcomeOf(grids[0], named),
    command: outputText(description),
    summary: `${STATUS[verdict]}; ${broken.join('')}`,
    timestamp,
    comments: [`${why}.`, ...findings.map(({ sentence }) => sentence)],
    exception: '',
  }
}

/** By column and row: "ok", or the rules that found something. */
function outcomeOf(grid: Grid | undefined, named: readonly { readonly flag: string; readonly element: string }[]) {
  if (grid === undefined) return {}
  const [header, ...rows] = grid.cells
  const flagsAt = new Map<string, Set<string>>()
  for (const { flag, element } of named) {
    const place = grid.placeOf.get(element)?.join(',')
    if (place !== undefined) flagsAt.set(place, (flagsAt.get(place) ?? new Set()).add(`${flag}; `))
  }
  const outcomeAt = (i: number, j: number) => [...(flagsAt.get(`${i},${j}`) ?? ['ok'])].join('')
  return Object.fromEntries(
    header
      .slice(1)
      .map((column, j) => [column, Object.fromEntries(rows.map(([label], i) => [label, outcomeAt(i, j)]))]),
  )
}

function configOf({ appetite }: OutputCheck) {
  const { threshold, df, dominanceN, dominanceK, pRatio, missing, zeros } = appetite
  return {
    safe_threshold: threshold,
    safe_dof_threshold: df,
    safe_nk_n: dominanceN,
    safe_nk_k: dominanceK,
    safe_pratio_p: pRatio,
    check_missing_values: missing,
    survival_safe_threshold: threshold,
    zeros_are_disclosive: zeros,
  }
}
