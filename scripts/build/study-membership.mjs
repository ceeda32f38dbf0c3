// Puts results of `scrim study membership` into docs/study-membership, and what they say into docs/study-membership.md and docs/method.md.
// node scripts/build/study-membership.mjs --single FOLDER... --shadow FOLDER...   results of runs with and without shadow models
// node scripts/build/study-membership.mjs                                         the tables anew from the results that are kept
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readTable, valueAt } from '@scrim/core'
import { withBlock } from './marked-block.mjs'
import { root } from './site-pages.mjs'

const kept = join(root, 'docs/study-membership')

/** Which files of a run are kept: those of the game that it was run for. */
const FILES = {
  single: ['release-game'],
  shadow: ['leave-one-out-game', 'differences', 'epsilon', 'times'],
}
const PICTURES = { single: /^release-game-.*\.svg$/, shadow: /^(isolated|random|differences)-.*\.svg$/ }

/** Rows of data sets that were played now take the place of older ones of the same data; those of others stay, with blanks in columns that are new. */
async function keep(game, folders) {
  mkdirSync(kept, { recursive: true })
  for (const name of FILES[game]) {
    const played = []
    for (const folder of folders) played.push(...(await rowsIn(join(folder, `${name}.csv`))))
    const again = new Set(played.map(({ data }) => data))
    const before = (await rowsOf(name)).filter(({ data }) => !again.has(data))
    const header = Object.keys(played[0])
    const lines = [...played, ...before].map((row) => header.map((column) => row[column] ?? null))
    writeFileSync(
      join(kept, `${name}.csv`),
      `${[header, ...lines].map((cells) => cells.map(cell).join(',')).join('\n')}\n`,
    )
  }
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((one) => PICTURES[game].test(one)))
      cpSync(join(folder, file), join(kept, file))
}

function cell(value) {
  const text = String(value ?? '')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const rowsOf = (name) => rowsIn(join(kept, `${name}.csv`))

async function rowsIn(file) {
  if (!existsSync(file)) return []
  const table = await readTable(basename(file), readFileSync(file))
  return Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(table.columns.map((column) => [column.name, valueAt(column, row)])),
  )
}

const markdown = (header, rows) =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const two = (value) => Number(value).toFixed(2)
const gap = ({ difference, lower, upper }) => `${two(difference)} (${two(lower)} to ${two(upper)})`
const settings = (rows) => [
  ...new Map(rows.map(({ data, generator }) => [`${data}/${generator}`, { data, generator }])).values(),
]

const ATTACKS = [
  'shared information',
  'information and values',
  'memorisation',
  'shared values',
  'nearest record',
  'DOMIAS, neighbours',
  'DOMIAS, kernels',
  'classifier',
]

function releaseTable(rows) {
  const everybody = rows.filter(({ who }) => who === 'everybody')
  return markdown(
    ['data', 'generator', ...ATTACKS],
    settings(everybody).map(({ data, generator }) => {
      const found = ATTACKS.map((attack) =>
        everybody.find((row) => row.data === data && row.generator === generator && row.attack === attack),
      )
      const most = Math.max(...found.map((row) => row?.auc ?? 0))
      const cell = (row) => {
        if (row === undefined) return '-'
        const text = `${two(row.auc)} ± ${two((row.upper - row.lower) / 2)}`
        return row.auc === most ? `**${text}**` : text
      }
      return [data, generator, ...found.map(cell)]
    }),
  )
}

function lowTable(rows) {
  const wanted = rows.filter(({ who, generator }) => who === 'everybody' && generator.startsWith('CART'))
  const cell = (row) =>
    row === undefined
      ? '-'
      : `${(100 * row['tpr at fpr 0.1 %']).toFixed(1)}, ${(100 * row['tpr at fpr 1 %']).toFixed(1)}`
  return markdown(
    ['data', 'generator', ...ATTACKS],
    settings(wanted).map(({ data, generator }) => [
      data,
      generator,
      ...ATTACKS.map((attack) =>
        cell(wanted.find((row) => row.data === data && row.generator === generator && row.attack === attack)),
      ),
    ]),
  )
}

const IN_GAME = [
  'shared information',
  'information and values',
  'memorisation',
  'shared values',
  'nearest record',
  'DOMIAS, kernels',
  'shadow, queries',
  'shadow, histogram',
  'shadow, correlations',
]

function gameTable(rows, who) {
  const wanted = rows.filter((row) => row.who === who)
  return markdown(
    ['data', 'generator', ...IN_GAME],
    settings(wanted).map(({ data, generator }) => {
      const found = IN_GAME.map((attack) =>
        wanted.find((row) => row.data === data && row.generator === generator && row.attack === attack),
      )
      const most = Math.max(...found.map((row) => row?.auc ?? 0))
      return [
        data,
        generator,
        ...found.map((row) => (row === undefined ? '-' : row.auc === most ? `**${two(row.auc)}**` : two(row.auc))),
      ]
    }),
  )
}

/** The same of the difference from information and values, which stands in columns of its own. */
const fromValues = (rows) =>
  rows.map((row) => ({
    ...row,
    difference: row['from information and values'],
    lower: row['its lower'],
    upper: row['its upper'],
  }))

const above = (rows) => rows.filter(({ lower }) => lower > 0)
const below = (rows) => rows.filter(({ upper }) => upper < 0)
const ofIsolated = (rows) => rows.filter(({ who }) => who === 'most isolated').length

function beatenSentence(rows) {
  const beats = above(rows)
  const better = fromValues(rows)
  const learned = beats.filter((row) => row['best shadow attack'].endsWith('queries'))
  const single = learned.filter((row) => !row.feature.includes(' & '))
  const exact = single.filter((row) => !row.feature.endsWith(' near'))
  const trees = beats.filter(({ generator }) => generator.startsWith('CART')).length
  return `Of ${rows.length} comparisons (generators, data sets, most isolated or random people) the best shadow attack is above shared information by more than its interval in ${beats.length}, ${ofIsolated(beats)} of them of the most isolated people and ${trees} of them on trees, below it in ${below(rows).length}, and neither in ${rows.length - beats.length - below(rows).length}. In ${learned.length} of these ${beats.length} it is the random subset queries; the one query that tells most of a person asks for a single column in ${single.length}, for its exact value in ${exact.length} of them, and for two to four columns in ${learned.length - single.length}. Above information and values it is in ${above(better).length}, ${ofIsolated(above(better))} of them of the most isolated people, and below it in ${below(better).length}.`
}

/** The game's rows of an attack by people and generator, over all data sets. */
const meanOf = (rows, wanted, of = ({ auc }) => auc) => {
  const found = rows.filter(wanted).map(of)
  return found.reduce((sum, one) => sum + one, 0) / found.length
}

const NOT_PRIVATE = ({ generator }) => !generator.startsWith('network')

/** How close does one release come to what shadow models learn from a thousand? Areas above 1/2, which is a coin. */
function closeTable(rows) {
  const attacks = ['shared information', 'information and values', 'memorisation', 'shared values', 'shadow, queries']
  const header = ['people', 'generators', ...attacks, 'best of one release, of shadow queries']
  const kinds = [
    ['trees', ({ generator }) => generator.startsWith('CART')],
    ['other', (row) => NOT_PRIVATE(row) && !row.generator.startsWith('CART')],
    ['private', (row) => !NOT_PRIVATE(row)],
  ]
  return markdown(
    header,
    ['most isolated', 'random'].flatMap((who) =>
      kinds.map(([kind, isOfKind]) => {
        const aucs = attacks.map((attack) =>
          meanOf(rows, (row) => row.who === who && row.attack === attack && isOfKind(row)),
        )
        const share = (Math.max(...aucs.slice(0, -1)) - 0.5) / (aucs.at(-1) - 0.5)
        return [who, kind, ...aucs.map(two), kind === 'private' ? '-' : `${Math.round(100 * share)} %`]
      }),
    ),
  )
}

/** Half-widths of intervals, and how many releases without a person stand behind a false-positive rate. */
function precisionSentence(rows, differences) {
  const half = (of) => {
    const sorted = of.map(({ lower, upper }) => (upper - lower) / 2).sort((a, b) => a - b)
    return [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map(two)
  }
  const [usual, widest] = half(rows)
  const [usualGap, widestGap] = half(differences)
  return `Half the width of the interval of an AUC is ${usual} at the median of the ${rows.length} that are kept, and ${widest} at most; of a difference between two attacks on the same people and releases ${usualGap}, and ${widestGap} at most.`
}

const IN_LOW = ['shared information', 'information and values', 'memorisation', 'shared values', 'shadow, queries']

/** Releases with the person that are found while 1 % of those without are accused, one threshold for all people; means over data sets. */
function gameLowTable(rows) {
  return markdown(
    ['generator', ...IN_LOW.map((attack) => `${attack}: isolated, random`)],
    [...new Set(rows.map(({ generator }) => generator))].map((generator) => [
      generator,
      ...IN_LOW.map((attack) =>
        ['most isolated', 'random']
          .map((who) =>
            (
              100 *
              meanOf(
                rows,
                (row) => row.who === who && row.attack === attack && row.generator === generator,
                (row) => row['tpr at fpr 1 %'],
              )
            ).toFixed(0),
          )
          .join(', '),
      ),
    ]),
  )
}

function beatenTable(rows) {
  return markdown(
    [
      'data',
      'generator',
      'who',
      'shadow attack',
      'more AUC than shared information',
      'than information and values',
      'feature that told most of one person',
      'its AUC',
    ],
    rows
      .map((row, k) => [row, fromValues(rows)[k]])
      .filter((both) => both.some(({ lower }) => lower > 0))
      .map(([row, better]) => [
        row.data,
        row.generator,
        row.who,
        row['best shadow attack'],
        ...[row, better].map(gap),
        row.feature,
        two(row['its auc']),
      ]),
  )
}

/** By generator, over data sets and both kinds of people: in how many the best shadow attack is above, or below, by more than its interval. */
function whereTable(rows) {
  const counts = (own) => `${above(own).length}, ${below(own).length}`
  const mean = (own) =>
    two(
      meanOf(
        own,
        () => true,
        ({ difference }) => difference,
      ),
    )
  return markdown(
    [
      'generator',
      'of',
      'from shared information: above, below',
      'mean difference',
      'from information and values: above, below',
      'mean difference',
    ],
    [...new Set(rows.map(({ generator }) => generator))].map((generator) => {
      const own = rows.filter((row) => row.generator === generator)
      const better = fromValues(own)
      return [generator, own.length, counts(own), mean(own), counts(better), mean(better)]
    }),
  )
}

/** Mean AUC of the most isolated people over the data sets, for a generator. */
function meanTable(rows) {
  const attacks = ['shared information', 'information and values', 'memorisation', 'shared values', 'shadow, queries']
  return markdown(
    ['generator', ...attacks],
    [...new Set(rows.map(({ generator }) => generator))].map((generator) => [
      generator,
      ...attacks.map((attack) =>
        two(meanOf(rows, (row) => row.who === 'most isolated' && row.generator === generator && row.attack === attack)),
      ),
    ]),
  )
}

function epsilonTable(rows) {
  return markdown(
    ['data', 'generator', 'stated', 'at least, best attack', 'most that could show'],
    settings(rows).map(({ data, generator }) => {
      const own = rows.filter((row) => row.data === data && row.generator === generator)
      return [
        data,
        generator,
        own[0].stated,
        two(Math.max(...own.map((row) => row['at least']))),
        two(own[0]['most that could show']),
      ]
    }),
  )
}

/** Of the leave-one-out game, per person: what one look at one release takes, and what a shadow model takes with its releases. */
function timesTable(rows) {
  const game = rows.filter((row) => row.game === 'shadow')
  const what = [...new Set(game.map((row) => row.what))]
  return markdown(
    ['what', 'seconds', 'times', 'milliseconds each'],
    what.map((one) => {
      const own = game.filter((row) => row.what === one)
      const [seconds, times] = ['seconds', 'times'].map((name) => own.reduce((sum, row) => sum + row[name], 0))
      return [one, seconds.toFixed(0), times, ((1000 * seconds) / times).toFixed(1)]
    }),
  )
}

/** Both pages as the results that are kept have them, by their files. */
export async function pagesNow() {
  const [release, game, differences, epsilon, times] = await Promise.all(
    ['release-game', 'leave-one-out-game', 'differences', 'epsilon', 'times'].map(rowsOf),
  )
  const blocks = {
    'study-membership.md': {
      release: releaseTable(release),
      low: lowTable(release),
      isolated: gameTable(game, 'most isolated'),
      random: gameTable(game, 'random'),
      precision: precisionSentence(game, differences),
      lowgame: gameLowTable(game),
      close: closeTable(game),
      where: `${beatenSentence(differences)}\n\n${whereTable(differences)}`,
      beaten: beatenTable(differences),
      epsilon: epsilonTable(epsilon),
      times: timesTable(times),
    },
    'method.md': {
      comparison: `${beatenSentence(differences)}\n\nAUC with and without one of the most isolated people, mean over the four data sets:\n\n${meanTable(game)}`,
    },
  }
  return Object.entries(blocks).map(([name, own]) => {
    const file = join(root, 'docs', name)
    const text = Object.entries(own).reduce(
      (page, [block, content]) => withBlock(page, block, content),
      readFileSync(file, 'utf8'),
    )
    return [file, text]
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2)
  for (const game of ['single', 'shadow']) {
    const at = words.indexOf(`--${game}`)
    if (at < 0) continue
    const end = words.findIndex((word, k) => k > at && word.startsWith('--'))
    await keep(game, words.slice(at + 1, end < 0 ? undefined : end))
  }
  for (const [file, text] of await pagesNow()) writeFileSync(file, text)
}
