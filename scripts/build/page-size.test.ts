import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

/** The folder of the page as it was built: what a visit loads, and what waits until it is needed. */
const folder = resolve(import.meta.dirname, '../../packages/web/dist')
const assets = readdirSync(join(folder, 'assets'))
const text = (name: string) => readFileSync(join(folder, name), 'utf8')
const MOST_BYTES = 1_000_000

/** A script with all that it imports at once; what it imports later is not followed. */
function closure(names: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const follow = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    for (const [, next] of text(`assets/${name}`).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) follow(next)
  }
  names.forEach(follow)
  return seen
}

describe('the page', () => {
  const html = text('index.html')
  const linked = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name]) => name)
  const workers = assets.filter((name) => /^(engine|tasks|drawing)-/.test(name))
  const first = closure([...linked, ...workers])

  it('loads less than a megabyte at first, compressed', () => {
    expect(linked.length).toBeGreaterThan(1)
    expect(workers).toHaveLength(3)
    const bytes = [...first].reduce((sum, name) => sum + gzipSync(text(`assets/${name}`)).length, gzipSync(html).length)
    expect(bytes).toBeLessThan(MOST_BYTES)
  })

  it('loads what reads Parquet and Arrow, and what draws, when it is needed', () => {
    const later = assets.filter((name) => /^(parquet|arrow|vega)/.test(name))
    expect(later.length).toBeGreaterThan(2)
    expect(later.filter((name) => first.has(name))).toEqual([])
  })

  it('names no address but its own, and none from the root of a server', () => {
    expect([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      ...linked.map((name) => `./assets/${name}`),
    ])
  })

  it('forbids itself every connection but to where it came from', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval'(?<!wasm-unsafe-eval')/)
  })
})
