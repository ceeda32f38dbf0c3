// Builds the documentation into scrim-site, static files that any web server can host: the Markdown of the repository by
// VitePress, with search, the measures by question, and the page itself with simulated people. Nothing is fetched by who reads it.
// npm run site, or npm run site -- --base /docs/ where it will not lie at the root of its host.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { measures, THREAT_TEXT, THREATS } from '@scrim/core'
import { build } from 'vitepress'
import { anchorOf, BY_QUESTION, COPIED, menu, onSite, outsideCode, root, sitePages } from './site-pages.mjs'

const { base } = parseArgs({ options: { base: { type: 'string', default: '/' } } }).values
const site = join(root, 'scrim-site')
const work = join(root, 'scrim-site/.work')
rmSync(site, { recursive: true, force: true })

const pages = sitePages()
const write = (address, text) => {
  const file = join(work, address)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
/** Text that Vue must not take for its own. */
const plain = (text) =>
  outsideCode(text, (part) =>
    part.replaceAll('{{', '{​{').replaceAll(/<(?!!--|\/?(?:br|sub|sup|details|summary)\b)/g, '&lt;'),
  )
for (const [source, address] of pages) write(address, plain(onSite(source, address, pages)))
write(BY_QUESTION, byQuestion())
for (const [from, to] of COPIED)
  if (existsSync(join(root, from))) cpSync(join(root, from), join(work, 'public', to), { recursive: true })
cpSync(join(root, 'packages/web/dist'), join(work, 'public/page'), { recursive: true })
// Pictures stand beside their pages too, so that the pages find them as they do in the repository.
for (const folder of ['img', 'measures/img', 'study-membership'])
  if (existsSync(join(work, 'public', folder)))
    cpSync(join(work, 'public', folder), join(work, folder), { recursive: true })

/** Scripts are those of the site; nothing may be fetched from elsewhere. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

write(
  '.vitepress/config.mjs',
  // It knows no files but pages; links to others are checked by site-pages.test.ts.
  `export default ${JSON.stringify(
    {
      ignoreDeadLinks: 'IGNORED',
      title: 'scrim',
      description: 'May this file be released? Disclosure risk and utility of anonymised and synthetic microdata.',
      lang: 'en',
      base,
      outDir: '../out',
      cacheDir: '../cache',
      metaChunk: true,
      head: [
        ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
        ['link', { rel: 'icon', href: 'data:,' }],
      ],
      markdown: { html: true, anchor: { slugify: 'ANCHOR' } },
      themeConfig: {
        search: { provider: 'local' },
        sidebar: menu(pages),
        nav: [
          { text: 'Measures by question', link: '/measures/by-question' },
          ...(pages.has('docs/method.md') ? [{ text: 'Method', link: '/method' }] : []),
          { text: 'Live', link: '/page/index.html#sample', target: '_blank' },
        ],
        outline: [2, 3],
      },
    },
    null,
    2,
  )
    .replace('"ANCHOR"', () => anchorOf.toString())
    .replace('"IGNORED"', String.raw`[/\.(?:bib|ipynb|json|html)(?:#.*)?$/]`)}\n`,
)
await build(work, { logLevel: 'warn' })
const out = join(site, 'out')
if (!existsSync(join(out, 'index.html'))) throw new Error('the site was not built')
for (const name of readdirSync(out)) cpSync(join(out, name), join(site, name), { recursive: true })
for (const folder of ['out', 'cache', '.work']) rmSync(join(site, folder), { recursive: true, force: true })
console.log(`${pages.size + 1} pages in scrim-site: serve the folder, e.g. npx vite preview --outDir scrim-site`)

/** The measures as people ask for them: threat by threat, who decides first; then utility. */
function byQuestion() {
  const order = ['decides', 'supports', 'diagnoses', 'structure']
  const row = ({ id, title, summary, role }) => `| [${title}](./${id}.md) | ${role} | ${summary} |`
  const tableOf = (some) =>
    [
      '| measure | role | what it says |',
      '|---|---|---|',
      ...some.toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role)).map(row),
    ].join('\n')
  const threats = THREATS.map((threat) => {
    const { question, attacker, remedy } = THREAT_TEXT[threat]
    const own = measures.filter((measure) => measure.threat === threat)
    return `## ${question}\n\nThe attacker: ${attacker}. What helps: ${remedy.replace('KEY', 'the keys')}.\n\n${tableOf(own)}\n`
  })
  const utility = measures.filter(({ orientation }) => orientation === 'utility')
  const other = measures.filter(({ threat, orientation }) => threat === undefined && orientation !== 'utility')
  const rest = other.length === 0 ? '' : `## What is the file like?\n\n${tableOf(other)}\n`
  return `# Measures by question\n\nOne or more measures *decide* about a threat; the others support or contradict them ([the answer](../answer.md)).\n\n${threats.join('\n')}\n## Is the release still useful?\n\n${tableOf(utility)}\n\n${rest}`
}
