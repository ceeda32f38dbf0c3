import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toParquet } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../core/src/files/csv.js'
import { workplace } from './testing/run.js'

/** What README and docs tell to type, typed: every command of a code block, and the library example as it stands. */
const root = resolve(import.meta.dirname, '../../..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** These take long, or need data or servers that are not here; their own tests and scripts run them. */
const ELSEWHERE = /^scrim (demo|study|attack|advise|ui|partial|merge)\b|--engine |^(docs\/examples\.md)/

function blocks(page: string, language: RegExp): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```([a-z]*)\n([\s\S]*?)^```$/gm)]
    .filter(([, kind]) => language.test(kind))
    .map(([, , body]) => body)
}

const commands = pages
  .filter((page) => !/examples|first-use/.test(page))
  .flatMap((page) =>
    blocks(page, /^(bash|sh|)$/)
      .flatMap((body) => body.replaceAll(/\\\n\s*/g, '').split('\n'))
      .map((line) => line.trim().replace(/^npx (--yes )?/, ''))
      .filter((line) => line.startsWith('scrim ') && !/\b[A-Z]{3,}\b|\.\.\.| {2}/.test(line) && !ELSEWHERE.test(line)),
  )

const people = (shift: number) =>
  `id,sex,age,region,income,depress,weight\n${Array.from({ length: 40 }, (_, k) => {
    const j = k * 7 + shift
    return [
      `x${j}`,
      'fm'[j % 2],
      20 + (j % 23),
      ['north', 'south'][(j >> 1) % 2],
      1000 + ((j * 37) % 900),
      ['no', 'yes'][(j >> 2) % 2],
      1 + (j % 3),
    ].join(',')
  }).join('\n')}\n`

/** The same people in households of two, who live in one region, with an area within each. */
const survey = people(5)
  .trimEnd()
  .split('\n')
  .map((line, k) => {
    if (k === 0) return `${line},hid,district,nation,tenure,wealth`
    const [id, sex, age, , ...rest] = line.split(',')
    const home = (k - 1) >> 1
    const region = ['north', 'south'][home % 2]
    const further = [
      home,
      `${region} ${(home >> 1) % 3}`,
      ['own', 'other'][home % 2],
      ['rents', 'owns'][(home >> 2) % 2],
    ]
    return [id, sex, age, region, ...rest, ...further, (k * 53) % 997].join(',')
  })
  .join('\n')

const csv = ['original', 'released', 'syn1', 'syn2', 'others', 'synthetic', 'data/original', 'data/released']

/** Double quotes as single ones, except between single ones. */
const singleQuoted = (command: string) =>
  command.replaceAll(/'[^']*'|"([^"]*)"/g, (all, inside?: string) => (inside === undefined ? all : `'${inside}'`))

describe('commands of README and docs', () => {
  it('there are some', () => expect(commands.length).toBeGreaterThan(8))

  it.each([...new Set(commands)])('%s', async (command) => {
    const parquet = toParquet(await readCsv('released.parquet', new TextEncoder().encode(people(3)), {}))
    const { run } = workplace({
      ...Object.fromEntries(csv.map((name, k) => [`${name}.csv`, people(k)])),
      'survey.csv': survey,
      'released.parquet': parquet,
      'policy.json': '{"overall": "HIGH"}',
      'request.json': '{"outputs": [{"id": "counts", "kind": "table", "by": ["sex", "region"]}]}',
      'released/before.json': '{"outputs": []}',
    })
    const some = /^scrim utility/.test(command) ? 'pmse,ks' : 'k-anonymity,attribution'
    const cheap = /^scrim (assess|check|utility)/.test(command) && !/--assessment|--measures/.test(command)
    const { code, err } = await run(
      `${singleQuoted(command.slice('scrim '.length))}${cheap ? ` --measures ${some}` : ''}`,
    )
    expect(err.split('\n').filter((line) => /unknown|must be|bug in scrim/.test(line))).toEqual([])
    // A page may tell of a file that only an earlier command has made.
    expect(code === 0 || code === 3 || /there is no file/.test(err), err).toBe(true)
  })
})

it('the library example of the README runs as it stands', async () => {
  const [example] = blocks('README.md', /^ts$/)
  const file = join(import.meta.dirname, `readme-example-${process.pid}.ts`)
  writeFileSync(file, example)
  try {
    await import(file)
  } finally {
    rmSync(file)
  }
})
