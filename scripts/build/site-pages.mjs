// The pages of the site: the Markdown of the repository under the addresses of the site, in the order of its menu.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Menu of the site: pages of docs/ by their names; what stands in none of them is under "More". */
const MENU = [
  ['Start', ['README.md', 'first-use', 'examples', 'page', 'cli', 'files', 'library']],
  ['May it be released?', ['answer', 'report', 'compare', 'advise', 'check', 'utility', 'outputs', 'output-risk']],
  ['Method', ['method', 'study-membership', 'studies', 'coverage', 'power', 'fooling', 'utility-calibration']],
  ['Making and attacking releases', ['synthesizers', 'anonymisers', 'attack', 'audit-dp']],
  [
    'Beside other software',
    [
      'errata',
      'beside-python',
      'beside-r',
      'from-synthpop',
      'from-sdcmicro',
      'from-riskutility',
      'from-anonymeter',
      'from-sdmetrics',
      'from-mostlyai-qa',
    ],
  ],
  ['Large data', ['scale', 'engines', 'cluster']],
]

const BY_QUESTION = 'measures/by-question.md'

/** Markdown files of the repository that are pages, by the address of the page. */
export function sitePages() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [`docs/${file}`, file === 'measures/README.md' ? 'measures/index.md' : file])
  const others = [
    ['README.md', 'index.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['examples/README.md', 'examples-list.md'],
    ['examples/case-study/map.md', 'case-study-map.md'],
    ['python/README.md', 'python.md'],
    ['r/README.md', 'r.md'],
    ['bench/README.md', 'bench.md'],
  ]
  return new Map([...docs, ...others].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Folders whose files are copied as they are, by where they are on the site. */
export const COPIED = [
  ['docs/img', 'img'],
  ['docs/measures/img', 'measures/img'],
  ['docs/schema', 'schema'],
  ['docs/study-membership', 'study-membership'],
  ['docs/charts.html', 'charts.html'],
  ['docs/bibliography.bib', 'bibliography.bib'],
  ['examples/case-study', 'examples/case-study'],
  ['examples/census2k', 'examples/census2k'],
  ['examples/sd2011', 'examples/sd2011'],
  ['examples/notebook.ipynb', 'examples/notebook.ipynb'],
]

const LINK = /(!?\[(?:[^\][]|\[[^\]]*\])*\])\(([^)\s]+)\)/g
const CODE = /(^```[\s\S]*?^```|`[^`\n]*`)/gm

/** What each link of a page of the repository points to: [target, file of the repository, fragment]. Code has none. */
export function linksOf(source) {
  const text = readFileSync(join(root, source), 'utf8').replaceAll(CODE, '')
  return [...text.matchAll(LINK)]
    .map(([, , target]) => target)
    .filter((target) => !isElsewhere(target))
    .map((target) => [target, ...resolved(source, target)])
}

function isElsewhere(target) {
  return /^[a-z]+:/.test(target)
}

function resolved(source, target) {
  const [path, fragment] = target.split('#')
  return [path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path)), fragment]
}

/** Anchors of the headings of a page, as GitHub and the site make them. */
export function anchorsOf(source) {
  const text = readFileSync(join(root, source), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading]) => anchorOf(heading))
}

export function anchorOf(heading) {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** A page with its links as the site has them; what the site has not stands without a link. */
export function onSite(source, address, pages) {
  const link = (whole, label, target) => {
    if (isElsewhere(target)) return whole
    const [file, fragment] = resolved(source, target)
    const there = pages.get(file) ?? copiedTo(file)
    if (there === undefined) return label.startsWith('!') ? '' : label.slice(1, -1)
    const relative = posix.relative(posix.dirname(address), there)
    return `${label}(${relative.startsWith('.') ? relative : `./${relative}`}${fragment === undefined ? '' : `#${fragment}`})`
  }
  return outsideCode(readFileSync(join(root, source), 'utf8'), (text) => text.replaceAll(LINK, link))
}

/** Vue, which draws the pages, would read {{ and tags in running text. */
export function outsideCode(text, change) {
  return text
    .split(CODE)
    .map((part, k) => (k % 2 === 1 ? part : change(part)))
    .join('')
}

function copiedTo(file) {
  const found = COPIED.find(([from]) => file === from || file.startsWith(`${from}/`))
  if (found === undefined || !existsSync(join(root, file))) return undefined
  return found[1] + file.slice(found[0].length)
}

export function titleOf(source) {
  return /^# +(.*)$/m.exec(readFileSync(join(root, source), 'utf8'))?.[1].replaceAll('`', '') ?? source
}

/** The menu at the side: groups of pages, the measures by question, and the rest. */
export function menu(pages) {
  const sourceOf = (name) => (name.endsWith('.md') ? name : `docs/${name}.md`)
  const item = (source) => ({
    text: source === 'README.md' ? 'What scrim is' : titleOf(source),
    link: `/${pages.get(source).replace(/(index)?\.md$/, '')}`,
  })
  const groups = MENU.map(([text, names]) => ({
    text,
    items: names
      .map(sourceOf)
      .filter((one) => pages.has(one))
      .map(item),
  }))
  const listed = MENU.flatMap(([, names]) => names.map(sourceOf))
  const rest = [...pages.keys()].filter((one) => !listed.includes(one) && !one.startsWith('docs/measures/'))
  const measures = {
    text: 'Measures',
    items: [
      { text: 'By question', link: `/${BY_QUESTION.replace(/\.md$/, '')}` },
      { text: 'All of them', link: '/measures/' },
    ],
  }
  const live = {
    text: 'Live',
    items: [{ text: 'The page, on simulated people', link: '/page/index.html#sample', target: '_blank' }],
  }
  const [start, ...others] = groups
  const more = { text: 'More', collapsed: true, items: rest.map(item) }
  return [start, live, measures, ...others, more]
}

export { BY_QUESTION }
