import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorOf, anchorsOf, linksOf, menu, onSite, root, sitePages } from './site-pages.mjs'

const pages = sitePages()

describe.each([...pages.keys()])('%s', (source) => {
  it('points to files that are there, and to headings that they have', () => {
    const broken = linksOf(source).filter(([, file, fragment]: [string, string, string | undefined]) => {
      if (!existsSync(join(root, file))) return true
      return fragment !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(fragment)
    })
    expect(broken.map(([target]: [string]) => target)).toEqual([])
  })
})

it('every page is in the menu once, but for those of single measures', () => {
  const listed = menu(pages).flatMap(({ items }: { items: { link: string }[] }) => items.map(({ link }) => link))
  expect(new Set(listed).size).toBe(listed.length)
  const address = (page: string) => `/${page.replace(/(index)?\.md$/, '')}`
  const missing = [...pages.values()].filter((page) => !page.startsWith('measures/') && !listed.includes(address(page)))
  expect(missing).toEqual([])
})

it('gives links the addresses of the site, and leaves out those that it has not', () => {
  const readme = onSite('README.md', 'index.md', pages)
  expect(readme).toContain('](./errata.md)')
  expect(readme).not.toContain('](docs/')
  // Sources are not on the site.
  expect(onSite('docs/errata.md', 'errata.md', pages)).toContain('(scripts/peers/claims.R)')
  expect(onSite('docs/errata.md', 'errata.md', pages)).not.toContain('](../scripts')
})

it('finds a link to nowhere and a heading that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-'))
  const page = join(folder, 'page.md')
  writeFileSync(
    page,
    '# One & two: `three`\n\n[a](nowhere.md) [b](#one--two-three) `[c](code.md)`\n\n```\n[d](code.md)\n```\n',
  )
  const source = relative(root, page).replaceAll('\\', '/')
  expect(linksOf(source).map(([target]: [string]) => target)).toEqual(['nowhere.md', '#one--two-three'])
  expect(anchorsOf(source)).toEqual(['one--two-three'])
  rmSync(folder, { recursive: true })
})

it('makes anchors as they are made on the web', () => {
  expect(anchorOf('`scrim keys` and `scrim init`')).toBe('scrim-keys-and-scrim-init')
  expect(anchorOf('What it is: [a link](b.md), and more')).toBe('what-it-is-a-link-and-more')
})

it('the site is built by a tool of development alone', () => {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect([devDependencies.vitepress, dependencies]).toEqual([expect.stringMatching(/^\d/), undefined])
})
