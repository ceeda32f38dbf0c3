import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Arrows point one way only: between packages, and inside core between folders. */
const packages = resolve(import.meta.dirname, '../../packages')

/** All but cli and engines run in a browser too, so they know neither Node nor the DOM. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  kernels: /^\.{1,2}\//,
  core: /^(\.{1,2}\/|@scrim\/kernels$|zod$|fflate$|hyparquet$|hyparquet\/src\/column\.js$|hyparquet-compressors$|hyparquet-writer$|@uwdata\/flechette$|@noble\/hashes\/[a-z0-9]+\.js$)/,
  report: /^(\.{1,2}\/|@scrim\/core$|preact$|preact\/hooks$|preact-render-to-string$)/,
  studies: /^(\.{1,2}\/|@scrim\/core$)/,
  engines: /^(\.{1,2}\/|@scrim\/core$|@uwdata\/flechette$|node:)/,
  web: /^(\.{1,2}\/|@scrim\/core$|@scrim\/report$|@scrim\/studies$|preact$|preact\/hooks$|scrim-worker:|vega$|vega-lite$|vega-interpreter$|@noble\/hashes\/[a-z0-9]+\.js$)/,
  cli: /^(\.{1,2}\/|@scrim\/core$|@scrim\/engines$|@scrim\/report$|@scrim\/studies$|node:|vega$|vega-lite$)/,
}

/** Folders and top files of core from bottom to top: each uses what stands before it. Anonymisers check what they did with the counts of risk. */
const CORE = [
  'once.ts',
  'reason.ts',
  'print.ts',
  'errors.ts',
  'options.ts',
  'option-kinds.ts',
  'option-text.ts',
  'json.ts',
  'json-text.ts',
  'written-form.ts',
  'escape.ts',
  'discretion.ts',
  'random',
  'stats',
  'table',
  'chart',
  'keys',
  'tasks',
  'neighbors',
  'files',
  'stored',
  'case',
  'evidence',
  'measure.ts',
  'learners',
  'synthesizers',
  'utility',
  'views',
  'risk',
  'anonymisers',
  'attack',
  'output',
  'peers',
  'every-measure.ts',
  'measures.ts',
  'measure-task.ts',
  'task-list.ts',
  'assess',
  'advise',
  'compare',
  'report',
  'contract',
  'index.ts',
]

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file) && !file.startsWith(`testing${sep}`))
    .map((file) => join(folder, file))
}

function imports(file: string): string[] {
  return importsOf(readFileSync(file, 'utf8'))
}

/** Imports of values that are there from the start: types are gone when the program runs, and a part may load another on demand. */
function valueImportsOf(text: string): string[] {
  const onlyTypes = /^(?:import|export) (?:type [^'"`;]*?|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\} )from '[^']+'/gm
  return importsOf(text.replaceAll(onlyTypes, '').replaceAll('import(', ''))
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b(?:[^'"`;]*?from)?\s*'([^']+)'/gm)
  return [...statements, ...text.matchAll(/\bimport\('([^']+)'\)/g)].map((match) => match[1])
}

it('every package has its place', () => {
  const found = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')))
  expect(found.filter((name) => MAY_IMPORT[name] === undefined)).toEqual([])
})

describe.each(Object.entries(MAY_IMPORT).filter(([name]) => existsSync(join(packages, name))))(
  '%s',
  (name, allowed) => {
    const folder = join(packages, name, 'src')

    it('imports only what lies below it', () => {
      const wrong = sources(folder).flatMap((file) =>
        imports(file)
          .filter((target) => !allowed.test(target))
          .map((target) => `${relative(packages, file)}: ${target}`),
      )
      expect(wrong).toEqual([])
    })

    it('does not reach into another package by path', () => {
      const outside = sources(folder).flatMap((file) =>
        imports(file).filter(
          (target) => target.startsWith('.') && relative(folder, resolve(file, '..', target)).startsWith('..'),
        ),
      )
      expect(outside).toEqual([])
    })
  },
)

describe('inside core', () => {
  const folder = join(packages, 'core/src')
  /** The folder at the top that a path lies in, or the file that lies there itself. */
  const placeOf = (path: string) => relative(folder, path).replace(/\.js$/, '.ts').split(sep)[0]

  it('every folder and top file has its place', () => {
    const places = new Set(sources(folder).map(placeOf))
    expect([...places].filter((place) => !CORE.includes(place))).toEqual([])
  })

  it('no arrow points up, so there is no cycle', () => {
    const up = sources(folder).flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith('.'))
        .filter((target) => CORE.indexOf(placeOf(resolve(file, '..', target))) > CORE.indexOf(placeOf(file)))
        .map((target) => `${relative(folder, file)}: ${target}`),
    )
    expect(up).toEqual([])
  })
})

/** A folder below the top ones holds one idea, so that it and another do not need each other. */
describe.each(['core', 'cli', 'web', 'report', 'studies'])('folders of %s', (name) => {
  it('do not use each other in a circle', () => {
    const folder = join(packages, name, 'src')
    /** A file at the top stands for itself. */
    const placeOf = (path: string) => relative(folder, dirname(path)) || relative(folder, path).replace(/\.js$/, '.ts')
    const uses = new Map<string, Set<string>>()
    for (const file of sources(folder)) {
      const from = placeOf(file)
      const targets = valueImportsOf(readFileSync(file, 'utf8')).filter((target) => target.startsWith('.'))
      const folders = targets.map((target) => placeOf(resolve(file, '..', target)))
      uses.set(from, new Set([...(uses.get(from) ?? []), ...folders.filter((other) => other !== from)]))
    }
    expect(circlesIn(uses)).toEqual([])
  })
})

/** Sets of nodes that reach each other. */
function circlesIn(uses: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...uses.keys()].map((node) => [node, reachableFrom(node, uses)]))
  const circles = [...reached].map(([node, others]) =>
    [...others].filter((other) => reached.get(other)?.has(node)).sort(),
  )
  return [...new Map(circles.filter(({ length }) => length > 0).map((circle) => [circle.join(), circle])).values()]
}

function reachableFrom(node: string, uses: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(uses.get(node) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(uses.get(next) ?? []))
  }
  return reached
}

it('finds circles of folders', () => {
  const uses = (edges: Record<string, string[]>) =>
    new Map(Object.entries(edges).map(([from, targets]) => [from, new Set(targets)]))
  expect(circlesIn(uses({ a: ['b'], b: ['c'], c: [] }))).toEqual([])
  expect(circlesIn(uses({ a: ['b'], b: ['c'], c: ['b'], d: ['a'] }))).toEqual([['b', 'c']])
})

/** Functions whose last bits the language leaves to the engine, and powers other than squares and those of two. */
const OF_THE_ENGINE =
  /Math\.(?:exp|expm1|log|log1p|log2|log10|pow|cbrt|a?sinh?|a?cosh?|a?tanh?|atan2)\b|(?<!\b2n?) \*\* (?!2\b(?!\.))/

it('numbers are computed alike by every engine', () => {
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').split('\n')
  const found = ['kernels', 'core', 'studies']
    .flatMap((name) => sources(join(packages, name, 'src')))
    .filter((file) => !file.endsWith('elementary.ts'))
    .flatMap((file) =>
      code(readFileSync(file, 'utf8'))
        .filter((line) => OF_THE_ENGINE.test(line))
        .map((line) => `${relative(packages, file)}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})

it('finds every kind of import', () => {
  const text = `import a from './a.js'
import {
  b,
  type C,
} from './b.js'
import type { D } from './d.js'
export * from './e.js'
export { f } from './f.js'
import './g.js'
const h = await import('./h.js')
const text = "from './not.js'"`
  expect(importsOf(text)).toEqual(['./a.js', './b.js', './d.js', './e.js', './f.js', './g.js', './h.js'])
  expect(valueImportsOf(text)).toEqual(['./a.js', './b.js', './e.js', './f.js', './g.js'])
  expect(valueImportsOf("import { type I, type J } from './i.js'")).toEqual([])
})

it('all but cli and engines are compiled without the types of Node or the DOM', () => {
  const base = readFileSync(join(packages, '../tsconfig.base.json'), 'utf8')
  expect(base).toContain('"lib": ["ES2023"]')
  expect(base).toContain('"types": []')
  for (const name of ['kernels', 'core', 'studies'])
    expect(readFileSync(join(packages, name, 'tsconfig.json'), 'utf8')).not.toMatch(/"types"|"lib"/)
})
