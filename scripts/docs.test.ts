import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assessmentSchema, measures, optionsOf, z } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { withDeclaration } from './docs-block.mjs'

const folder = join(import.meta.dirname, '../docs/measures')

describe.each(measures.map((measure) => [measure.id, measure] as const))('the page of %s', (id, measure) => {
  const page = readFileSync(join(folder, `${id}.md`), 'utf8')
  const pictures = [...page.matchAll(/\(img\/([^)]+)\)/g)].map((match) => match[1])

  it('is what the declaration says; else run npm run docs', () => {
    expect(withDeclaration(page, measure, optionsOf(measure), pictures)).toBe(page)
  })

  it('shows a picture and has its sections', () => {
    expect(pictures.length).toBeGreaterThan(0)
    for (const file of pictures) expect(existsSync(join(folder, 'img', file)), file).toBe(true)
    for (const section of [
      'Definition',
      'How to read it',
      'What it does not see',
      'Missing values and edge cases',
      'References',
    ]) {
      expect(page).toContain(`## ${section}`)
    }
  })
})

it('every measure is in the list', () => {
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const { id, title } of measures) expect(list).toContain(`| [${title}](${id}.md) | \`${id}\` |`)
})

it('the published schema of the answer is the one in use; else run npm run docs', () => {
  const published = readFileSync(join(folder, '../schema/assessment.schema.json'), 'utf8')
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(assessmentSchema))))
})
