import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assessmentSchema, bibtex, type Chart, measures, optionsOf, z } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { chartSvg } from '../../packages/cli/src/printing/svg.js'
import { demoPeople } from '../../packages/studies/src/index.js'
import { SECTIONS, withCounted, withDeclaration, withJudge } from './docs-block.mjs'
import { exampleOf } from './docs-examples.mjs'

const folder = join(import.meta.dirname, '../../docs/measures')
type Drawn = readonly { readonly file: string; readonly chart: Chart }[]

const example: (measure: (typeof measures)[number]) => Promise<Drawn> = exampleOf(demoPeople(1000, 1))

/** To six digits: the last ones of a logarithm may be others on another machine. */
function rounded(svg: string): string {
  return svg.replace(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => String(Number(Number(number).toPrecision(6))))
}

describe.each(measures.map((measure) => [measure.id, measure] as const))('the page of %s', (id, measure) => {
  const page = readFileSync(join(folder, `${id}.md`), 'utf8')
  const pictures = [...page.matchAll(/\(img\/([^)]+)\)/g)].map((match) => match[1])

  it('is what the declaration says; else run npm run docs', () => {
    expect(withDeclaration(page, measure, optionsOf(measure), pictures)).toBe(page)
  })

  it('shows a picture and has its sections', () => {
    expect(pictures.length).toBeGreaterThan(0)
    for (const file of pictures) expect(existsSync(join(folder, 'img', file)), file).toBe(true)
    for (const section of SECTIONS) expect(page).toContain(`## ${section}`)
  })
})

describe.each(measures.map((measure) => [measure.id, measure] as const))('the pictures of %s', (id, measure) => {
  it('are those on its page, drawn anew; else run npm run docs', async () => {
    const page = readFileSync(join(folder, `${id}.md`), 'utf8')
    const drawn = await example(measure)
    expect([...page.matchAll(/\(img\/([^)]+)\)/g)].map((match) => match[1])).toEqual(drawn.map(({ file }) => file))
    for (const { file, chart } of drawn) {
      const fresh = rounded(await chartSvg(chart)) === rounded(readFileSync(join(folder, 'img', file), 'utf8'))
      expect(fresh, `${file} is what its measure draws now`).toBe(true)
    }
  })
})

it('the page on engines says which measures are of all records; else run npm run docs', () => {
  const page = readFileSync(join(folder, '../engines.md'), 'utf8')
  expect(withCounted(page)).toBe(page)
})

it('no picture is left over from a measure that draws it no more', () => {
  const shown = measures.flatMap(({ id }) =>
    [...readFileSync(join(folder, `${id}.md`), 'utf8').matchAll(/\(img\/([^)]+)\)/g)].map((match) => match[1]),
  )
  expect(readdirSync(join(folder, 'img')).toSorted()).toEqual(shown.toSorted())
})

it('every measure is in the list', () => {
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const { id, title } of measures) expect(list).toContain(`| [${title}](${id}.md) | \`${id}\` |`)
})

it('the published schema of the answer is the one in use; else run npm run docs', () => {
  const published = readFileSync(join(folder, '../schema/assessment.schema.json'), 'utf8')
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(assessmentSchema))))
})

it('the page on the answer has who decides, and the limits in use; else run npm run docs', () => {
  const page = readFileSync(join(folder, '../answer.md'), 'utf8')
  expect(withJudge(page)).toBe(page)
})

it('the bibliography is that of the measures; else run npm run docs', () => {
  expect(readFileSync(join(folder, '../bibliography.bib'), 'utf8')).toBe(bibtex())
})
