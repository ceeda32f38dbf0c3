// The parts of pages that come from declarations, each between two marker lines.
import {
  BOUND_LEVEL,
  citationsOf,
  isOfScans,
  LEVEL_OF_VIEWS,
  LIMITS,
  LIMITS_OF_NAMES,
  literatureText,
  measures,
  percent,
  SIGNIFICANCE,
  scoreText,
  THREAT_TEXT,
  THREATS,
  VIEWS,
} from '@scrim/core'
import { withBlock } from './marked-block.mjs'

const DIRECTION = { risk: 'higher is riskier', utility: 'higher is better', distance: 'lower is better' }

/** What the page of a measure says below its declaration. */
export const SECTIONS = [
  'Definition',
  'How to read it',
  'What it does not see',
  'Missing values and edge cases',
  'References',
]

/** The page of a measure with its declaration filled in. */
export function withDeclaration(page, measure, options, pictures) {
  return withBlock(page, 'declaration', declaration(measure, options, pictures))
}

/** The page on the answer with who decides, by which limits and through which views filled in. */
export function withJudge(page) {
  return Object.entries({ deciders: decidersTable(), limits: limitsTable(), views: viewsTable() }).reduce(
    (text, [name, block]) => withBlock(text, name, block),
    page,
  )
}

const isOfCounts = (measure) => (measure.isOfCounts ?? measure.countedColumns) !== undefined

/** The page on engines with what is measured on all records filled in. */
export function withCounted(page) {
  const families = [...new Set(measures.map(({ family }) => family))]
  const places = ['by counts of all records', 'by scans of all records', 'by a sample']
  const placeOf = (measure) => (isOfCounts(measure) ? 0 : isOfScans(measure.id) ? 1 : 2)
  const linked = (family, place) =>
    measures
      .filter((measure) => measure.family === family && placeOf(measure) === place)
      .map(({ id }) => `[\`${id}\`](measures/${id}.md)`)
      .join(', ')
  const rows = families.map(
    (family) => `| ${family} | ${places.map((_, place) => linked(family, place)).join(' | ')} |`,
  )
  const table = [`| family | ${places.join(' | ')} |`, `|---|${'---|'.repeat(places.length)}`, ...rows].join('\n')
  return withBlock(page, 'counted', table)
}

function decidersTable() {
  const rows = THREATS.map((threat) => {
    const deciding = measures.filter((measure) => measure.role === 'decides' && measure.threat === threat)
    const links = deciding.map(({ id }) => `[\`${id}\`](measures/${id}.md)`)
    const needs = [...new Set(deciding.flatMap((measure) => measure.needs))]
    const { title, question } = THREAT_TEXT[threat]
    return `| ${title} | ${question} | ${links.join(', ')} | ${needs.join(', ')} |`
  })
  const deciders = measures.filter(({ role }) => role === 'decides').length
  return [
    `${deciders} measures decide ${THREATS.length} threats:`,
    '',
    '| threat | question | decided by | needs |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** One column for each limit there is; one without a title here goes by its name. */
const LIMIT_TITLES = {
  matters: 'leakage matters from',
  high: 'HIGH from',
  people: 'left open from, of all people',
  reach: 'a look counts from, of all people',
}

function limitsTable() {
  const names = [...new Set(THREATS.flatMap((threat) => Object.keys(LIMITS[threat])))]
  const shown = (limit) => (limit === null || limit === undefined ? '' : limit === 0 ? 'any' : percent(limit, 0))
  return [
    `Bounds are one-sided at ${percent(BOUND_LEVEL, 0)}; significant is an adjusted p below ${percent(SIGNIFICANCE, 0)}. Looks through views share ${percent(LEVEL_OF_VIEWS, 0)} of the level of a threat where there are any. The limits:`,
    '',
    `| threat | ${names.map((name) => LIMIT_TITLES[name] ?? name).join(' | ')} |`,
    `|---|${'---|'.repeat(names.length)}`,
    ...[
      ...THREATS.map((threat) => [THREAT_TEXT[threat].title, LIMITS[threat]]),
      [`${THREAT_TEXT.identity.title}, by name or number`, LIMITS_OF_NAMES],
    ].map(([title, limits]) => `| ${title} | ${names.map((name) => shown(limits[name])).join(' | ')} |`),
  ].join('\n')
}

function viewsTable() {
  return [
    '| view | undoes | the same question, asked |',
    '|---|---|---|',
    ...VIEWS.map(({ id, undoes, what }) => `| \`${id}\` | ${undoes} | ${what} |`),
  ].join('\n')
}

function declaration(measure, options, pictures) {
  const { id, summary, family, threat, role, scope, unit, needs, orientation, varies, blindTo, fooledBy } = measure
  const scores = Object.keys(measure.records ?? {})
  const looksAt =
    scope === 'file' ? 'one file (the original is measured beside the release)' : 'the release against the original'
  return [
    `\`scrim measure ${id}\`: ${summary}.`,
    '',
    '| | |',
    '|---|---|',
    `| family, threat, role | ${[family, ...(threat === undefined ? [] : [threat]), role].join(', ')} |`,
    `| unit | ${unit} |`,
    `| looks at | ${looksAt} |`,
    `| needs | ${needs.join(', ') || 'nothing but the files'} |`,
    `| direction | ${DIRECTION[orientation]} |`,
    `| interval | ${varies === undefined ? 'none' : `95 %, allows for ${listed(varies.map((what) => VARYING[what]))}; [how well it covers](../coverage.md)`} |`,
    ...(blindTo === undefined ? [] : [`| blind to | ${blindTo} |`]),
    ...Object.entries(fooledBy ?? {}).map(([trick, why]) => `| fooled by | ${trick}: ${why} |`),
    ...literatureText(measure).map((cut) => `| literature | ${cut} |`),
    ...citationsOf(measure).map(
      ({ text, key }) => `| cite | ${text} (\`${key}\` in [bibliography.bib](../bibliography.bib)) |`,
    ),
    '',
    ...(options.length === 0 ? [] : ['| option | default | meaning |', '|---|---|---|', ...options.map(optionRow), '']),
    ...(scores.length === 0
      ? []
      : ['| score of records | meaning |', '|---|---|', ...scores.map((name) => scoreRow(measure, name)), '']),
    ...pictures.map((file) => `![${file.replace('.svg', '')}](img/${file})`),
  ].join('\n')
}

const VARYING = {
  people: 'other people',
  release: 'another release by the same generator as fitted',
  attacker: 'another draw of the attack',
}

function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function scoreRow(measure, name) {
  const [, ...meaning] = scoreText(measure, name).split(': ')
  return `| \`${name}\` | ${meaning.join(': ')} |`
}

function optionRow({ name, description, default: value }) {
  return `| \`${name}\` | \`${JSON.stringify(value)}\` | ${description.replaceAll('|', '\\|')} |`
}
