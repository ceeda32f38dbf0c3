// What the studies of honest releases share: settings from the command line, questions in cells, and pairs of answers.
import { answers } from './answers.mjs'

const args = process.argv.slice(2)
export const isSet = (flag) => args.includes(flag)
export const settingOf = (flag) => (isSet(flag) ? args[args.indexOf(flag) + 1] : undefined)
export const listOf = (flag, all) => settingOf(flag)?.split(',') ?? all
export const HOLDOUTS = { yes: [true], no: [false] }[settingOf('--holdout')] ?? [false, true]

/** The questions of a cell: its setting with one seed per replicate. */
export function questionsOf(setting, replicates) {
  const first = Number(settingOf('--first') ?? 1)
  const count = Number(settingOf('--replicates') ?? replicates)
  return Array.from({ length: count }, (_, k) => ({ ...setting, seed: first + k }))
}

/** Asks the questions of all cells; the answers of a cell are its `lines`, and `onCell` hears of each that is complete. */
export async function answerCells(cells, study, onCell) {
  const cellOf = new Map(cells.flatMap((cell) => cell.questions.map((question) => [question, cell])))
  const started = performance.now()
  await answers([...cellOf.keys()], {
    study: new URL(study, import.meta.url).href,
    workers: Number(settingOf('--workers') ?? 2),
    out: settingOf('--out'),
    keep: isSet('--keep') || isSet('--known'),
    ask: !isSet('--known'),
    onAnswer(question, line) {
      const cell = cellOf.get(question)
      cell.lines.push({ ...line, seed: question.seed })
      if (cell.lines.length === cell.questions.length) onCell(cell)
    },
  })
  const given = cells.reduce((sum, { lines }) => sum + lines.length, 0)
  console.log(`\n${given} answers, ${((performance.now() - started) / 60_000).toFixed(1)} minutes`)
}

/** Answers to the same release without and with a holdout; `keyOf` says of a cell which release that is, but for the seed. */
export function pairsOf(cells, keyOf) {
  const byRelease = (withHoldout) =>
    cells
      .filter(({ holdout }) => holdout === withHoldout)
      .flatMap((cell) => cell.lines.map((line) => [JSON.stringify([keyOf(cell), line.seed]), line]))
  const outside = new Map(byRelease(true))
  return byRelease(false).flatMap(([release, line]) => (outside.has(release) ? [[line, outside.get(release)]] : []))
}
