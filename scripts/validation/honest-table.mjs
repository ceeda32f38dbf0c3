// The part of docs/power.md on honest releases of many shapes, from the cells of honest.mjs.

import { SHAPES } from './shapes.mjs'
import { fromTo, markdownTable, mean } from './shares.mjs'
import { alarmsAmong, withLevel } from './tallies.mjs'

export const BLOCK = 'honest releases'
/** That of honest-splits.mjs on the same page. */
export const SPLITS = 'honest splits'

export function honestTables(cells) {
  const ofPart = (part) => cells.filter((cell) => cell.part === part)
  const sections = [
    honestTable(ofPart('honest')),
    changesTable(ofPart('accidents'), 'accident', ACCIDENTS_TEXT),
    changesTable(ofPart('made'), 'made', MADE_TEXT),
    changesTable(ofPart('leaks'), 'leak', LEAKS_TEXT),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const ACCIDENTS_TEXT =
  'The same for releases of honest producers to which something happened, of the size of the original: answers that alarm.'
const MADE_TEXT =
  'Releases that were made from other people, who are not in the original: answers that alarm. Numbers that were moved to the middle are near to everybody, whoever they were made from.'
const LEAKS_TEXT = 'And releases that leak, of the size of the original: answers that alarm, MODERATE or HIGH.'

/** One row per shape and holdout, one column per size: alarms, then how many answers were LOW. */
function honestTable(cells) {
  if (cells.length === 0) return ''
  const sizes = distinct(cells.map(({ size }) => size)).sort((a, b) => a - b)
  const rows = rowsOf(cells).map(({ shape, holdout, cells: row }) => {
    const lines = row.flatMap((cell) => cell.lines)
    return [
      `${shape}: ${SHAPES[shape].about}`,
      SHAPES[shape].people,
      holdout ? 'yes' : 'no',
      ...sizes.map((size) => printed(row.filter((cell) => cell.size === size))),
      `${Math.round((100 * withLevel(lines, 'LOW').length) / lines.length)} %`,
      withLevel(lines, 'HIGH').length,
      mean(lines.map(({ seconds }) => seconds)).toFixed(1),
    ]
  })
  return [
    `Original, release and holdout are independent samples of one population; ${replicatesText(cells)}. Alarms, MODERATE or HIGH, by the`,
    'size of the release in times that of the original; up to 5 % is as it should be.',
    '',
    markdownTable(['shape', 'people', 'holdout', ...sizes.map((size) => `x ${size}`), 'LOW', 'HIGH', 's each'], rows),
  ].join('\n')
}

function changesTable(cells, kind, text) {
  if (cells.length === 0) return ''
  const changes = distinct(cells.map((cell) => cell[kind]))
  const rows = rowsOf(cells).map(({ shape, holdout, cells: row }) => [
    shape,
    holdout ? 'yes' : 'no',
    ...changes.map((change) => printed(row.filter((cell) => cell[kind] === change))),
  ])
  return [`${text} ${replicatesText(cells)}.`, '', markdownTable(['shape', 'holdout', ...changes], rows)].join('\n')
}

const replicatesText = (cells) => `${fromTo(cells.map(({ lines }) => lines.length))} replicates`

function rowsOf(cells) {
  return distinct(cells.map(({ shape }) => shape)).flatMap((shape) =>
    [false, true]
      .map((holdout) => ({
        shape,
        holdout,
        cells: cells.filter((cell) => cell.shape === shape && cell.holdout === holdout),
      }))
      .filter((row) => row.cells.length > 0),
  )
}

function printed(cells) {
  const lines = cells.flatMap((cell) => cell.lines)
  return lines.length === 0 ? '' : `${alarmsAmong(lines).length} of ${lines.length}`
}

const distinct = (values) => [...new Set(values)]
