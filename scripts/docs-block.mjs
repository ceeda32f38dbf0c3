// The part of a measure's page that comes from its declaration, between two marker lines.
import { citationsOf, literatureText, scoreText } from '@scrim/core'

const START = '<!-- declaration:start -->'
const END = '<!-- declaration:end -->'

const DIRECTION = { risk: 'higher is riskier', utility: 'higher is better', distance: 'lower is better' }

/** The page with its declaration filled in; an error when the markers are missing. */
export function withDeclaration(page, measure, options, pictures) {
  const from = page.indexOf(START)
  const to = page.indexOf(END)
  if (from < 0 || to < from) throw new Error(`docs/measures/${measure.id}.md lacks ${START} and ${END}`)
  return `${page.slice(0, from)}${START}\n${declaration(measure, options, pictures)}\n${page.slice(to)}`
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
