import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Arrows point one way only: cli -> studies -> core -> kernels; all but cli run in a browser, so they know neither Node nor the DOM. */
const packages = resolve(import.meta.dirname, '../packages')
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  kernels: /^\.{1,2}\//,
  core: /^(\.{1,2}\/|@scrim\/kernels$|zod$|fflate$|hyparquet$|hyparquet-compressors$|@uwdata\/flechette$)/,
  studies: /^(\.{1,2}\/|@scrim\/core$)/,
  cli: /^(\.{1,2}\/|@scrim\/core$|@scrim\/studies$|node:|vega$|vega-lite$)/,
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith(`testing${sep}`))
    .map((file) => join(folder, file))
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export)\b(?:[^'"`;]*?from)?\s*'([^']+)'/gm)
  return [...statements, ...text.matchAll(/\bimport\('([^']+)'\)/g)].map((match) => match[1])
}

describe.each(Object.entries(MAY_IMPORT))('%s', (name, allowed) => {
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
})

it('all but cli are compiled without the types of Node or the DOM', () => {
  const base = readFileSync(join(packages, '../tsconfig.base.json'), 'utf8')
  expect(base).toContain('"lib": ["ES2023"]')
  expect(base).toContain('"types": []')
  for (const name of ['kernels', 'core', 'studies'])
    expect(readFileSync(join(packages, name, 'tsconfig.json'), 'utf8')).not.toMatch(/"types"|"lib"/)
})
