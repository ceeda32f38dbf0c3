import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gate, GateStatus, Outcome } from '../assess/gate.js'
import { evaluate, GATE_STATUSES } from '../assess/gate.js'
import { figure, MEASURES, released, standing, TODAY, threat } from '../testing/standings.js'
import { gateJson, gateMarkdown, junitXml, MARKDOWN_MARK, sarifLog } from './gate.js'

const gate = evaluate(
  {
    overall: 'LOW',
    threats: { attribute: { level: 'LOW' }, membership: { level: 'LOW' }, linkability: { level: 'LOW' } },
    measures: { 'k-anonymity': { max: 0.1 } },
    waivers: [{ rule: 'threat:membership', reason: 'agreed', name: 'Jane Doe', expires: TODAY }],
  },
  standing(
    released(
      'out/a.csv',
      [
        threat('attribute', 'HIGH', 0.4, 0.5, 'income'),
        threat('membership', 'HIGH', 0.3),
        threat('linkability', 'NOT ASSESSED'),
      ],
      [figure('k-anonymity', 0.05)],
    ),
    released('out/b.csv', [threat('attribute', 'LOW', 0, 0.1, 'income')], [figure('k-anonymity', 0.2)]),
  ),
  { today: TODAY, registry: MEASURES },
)

const NASTY = 'a&b <c> "d" \'e\' ]]> \n\t\u0000\u001b\uFFFE \uD800 é 𝛼 @user #1 | `x` *y* _z_ <!-- --> [l](u)'

function outcome(status: GateStatus, text: string): Outcome {
  return {
    rule: 'threat:attribute',
    release: text,
    target: text,
    status,
    found: 0.2,
    limit: 0.1,
    foundText: '20 %',
    limitText: 'at most 10 %',
    sentence: text,
    reason: null,
  }
}

function gateOf(...outcomes: readonly Outcome[]): Gate {
  const failing = outcomes.filter(({ status }) => status === 'fail').length
  return { outcomes, failing, remarks: [], unfinished: [] }
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Reads XML as strictly as these files need: every tag closed, every attribute quoted, no bare &, < or control character. */
function parseXml(document: string): Element {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(document).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u)
  const [declaration] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(document) ?? []
  const body = document.slice(declaration?.length ?? Number.NaN)
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [part] of body.matchAll(/<[^<>]*>|[^<>]+|[<>]/g)) {
    const here = open[open.length - 1]
    const tag = /^<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>$/.exec(part)
    if (tag === null) {
      if (/[<>]/.test(part)) throw new Error(`not a tag: ${part}`)
      here.text += unescapeXml(part)
      continue
    }
    const [, closing, name, attributes, empty] = tag
    if (closing !== '') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
      continue
    }
    const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescapeXml(value)])
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`an attribute twice in ${part}`)
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
    here.children.push(element)
    if (empty === '') open.push(element)
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one element that is closed')
  return root.children[0]
}

function unescapeXml(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`a bare & in ${text}`)
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(?:#(\d+)|([a-z]+));/g, (_, code, name) => (code ? String.fromCodePoint(code) : named[name]))
}

/** What is left of a text in XML. */
function inXml(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a file should not hold
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu,
    '\uFFFD',
  )
}

it('says why something was not tested, wherever an outcome is written', () => {
  const why = 'Linkability was not tested. Why: nothing could be compared.'
  expect(junitXml(gate)).toContain(why)
  expect(JSON.stringify(sarifLog(gate, { version: '1', path: (release) => release }))).toContain(why)
  expect(gateMarkdown(gate)).toContain(why)
  const { outcomes } = JSON.parse(gateJson(gate))
  expect(outcomes.find((each: Outcome) => each.rule === 'threat:linkability')).toMatchObject({
    sentence: why,
    reason: { code: 'nothing-compared', text: 'nothing could be compared' },
  })
})

describe('JUnit', () => {
  it('has a suite per release and a case per rule, with what failed and what was skipped', () => {
    const root = parseXml(junitXml(gate))
    expect([root.name, root.attributes]).toEqual([
      'testsuites',
      { name: 'scrim check', tests: '10', failures: '3', errors: '0', skipped: '4' },
    ])
    const suites = root.children.map(({ attributes, children }) => [
      attributes.name,
      attributes.failures,
      children.length,
    ])
    expect(suites).toEqual([
      ['out/a.csv', '2', 5],
      ['out/b.csv', '1', 5],
    ])
    const cases = root.children[0].children.map(({ attributes, children }) => [attributes.name, children[0].name])
    expect(cases).toEqual([
      ['overall', 'failure'],
      ['threat:attribute (income)', 'failure'],
      ['threat:membership', 'skipped'],
      ['threat:linkability', 'skipped'],
      ['measure:k-anonymity', 'system-out'],
    ])
    const [, attribute, membership] = root.children[0].children.map(({ children }) => children[0])
    expect(attribute.attributes.message).toBe(
      'Attribute inference (income) is HIGH, leakage 40 %; at most LOW is allowed.',
    )
    expect(attribute.text).toBe(attribute.attributes.message)
    expect(membership.attributes.message).toMatch(/^waived: .* Waived by Jane Doe until 2026-06-15: agreed$/)
  })

  it('names each case once', () => {
    const names = parseXml(junitXml(gate)).children.flatMap(({ children }) =>
      children.map(({ attributes }) => `${attributes.classname} ${attributes.name}`),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it('is well-formed whatever the names are, and keeps them', () => {
    const statuses = fc.constantFrom(...GATE_STATUSES)
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant(NASTY))
    fc.assert(
      fc.property(statuses, texts, (status, text) => {
        const [suite] = parseXml(junitXml(gateOf(outcome(status, text)))).children
        expect(suite.attributes.name).toBe(inXml(text))
        expect(suite.children[0].attributes.name).toBe(inXml(`threat:attribute (${text})`))
      }),
    )
  })

  it('of no outcome is well-formed too', () => {
    expect(parseXml(junitXml(gateOf())).children).toEqual([])
  })
})

interface Sarif {
  readonly $schema: string
  readonly version: string
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { name: string; version: string; rules: { id: string; shortDescription: { text: string } }[] }
    }
    readonly results: readonly {
      ruleId: string
      ruleIndex: number
      level: string
      message: { text: string }
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]
      partialFingerprints: Record<string, string>
      suppressions?: { kind: string; justification: string }[]
      properties: { status: string }
    }[]
  }[]
}

function sarif(of: Gate, path = (release: string) => `data/${release}`): Sarif {
  return JSON.parse(JSON.stringify(sarifLog(of, { version: '1.2.3', path })))
}

describe('SARIF', () => {
  it('is a log of version 2.1.0 with one run, its rules and a result for all but what passes', () => {
    const { $schema, version, runs } = sarif(gate)
    expect([$schema, version, runs.length]).toEqual(['https://json.schemastore.org/sarif-2.1.0.json', '2.1.0', 1])
    const [{ tool, results }] = runs
    expect(tool.driver).toMatchObject({ name: 'scrim', version: '1.2.3' })
    expect(tool.driver.rules.map(({ id }) => id).sort()).toEqual([
      'measure:k-anonymity',
      'overall',
      'threat:attribute',
      'threat:linkability',
      'threat:membership',
    ])
    expect(results).toHaveLength(gate.outcomes.filter(({ status }) => status !== 'pass').length)
    for (const { ruleId, ruleIndex, level, message, locations, partialFingerprints } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
      expect(['none', 'note', 'warning', 'error']).toContain(level)
      expect(message.text).not.toBe('')
      expect(locations).toHaveLength(1)
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^data\/out\/[ab]\.csv$/)
      expect(locations[0].physicalLocation.region.startLine).toBeGreaterThan(0)
      expect(partialFingerprints.primaryLocationLineHash).toContain(ruleId)
    }
    const prints = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
    expect(new Set(prints).size).toBe(prints.length)
  })

  it('calls failures errors, the rest notes, and suppresses what is waived', () => {
    const [{ results }] = sarif(gate).runs
    for (const { level, properties, suppressions } of results) {
      expect(level).toBe(properties.status === 'fail' ? 'error' : 'note')
      expect(suppressions?.length ?? 0).toBe(properties.status === 'waived' ? 1 : 0)
    }
    expect(results.filter(({ level }) => level === 'error').map(({ message }) => message.text)).toContain(
      'out/b.csv: k-anonymity is 20.0 %; at most 10.0 % is allowed.',
    )
  })

  it.each([
    ['my data/a#b%.csv', 'my%20data/a%23b%25.csv'],
    ['../out/é.csv', '../out/%C3%A9.csv'],
    ['/srv/a b.csv', 'file:///srv/a%20b.csv'],
    ['D:/x/a.csv', 'file:///D:/x/a.csv'],
    ['half\uD800.csv', 'half%EF%BF%BD.csv'],
  ])('points at %s by a URI', (path, uri) => {
    const [{ results }] = sarif(gateOf(outcome('fail', 'a.csv')), () => path).runs
    expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri)
  })
})

describe('Markdown', () => {
  it('has the count, what does not pass, remarks, and what passes folded away', () => {
    const text = gateMarkdown({
      ...gate,
      remarks: ['a waiver expired'],
      unfinished: [{ measure: 'suda', reason: { code: 'failed', message: 'luck' } }],
    })
    expect(text.startsWith(`${MARKDOWN_MARK}\n\n### scrim check: 3 of 10 rules fail\n`)).toBe(true)
    expect(text).toContain(
      '| **fail** | threat:attribute | out/a.csv (income) | Attribute inference (income) is HIGH, leakage 40 %; at most LOW is allowed. |\n',
    )
    expect(text).toContain('\n- a waiver expired\n- suda failed: luck\n')
    const [shown, folded] = text.split('<details>')
    expect(shown).not.toContain('| pass |')
    expect(folded).toContain('<summary>3 passing</summary>')
    expect(folded.match(/^\| pass \|/gm)).toHaveLength(3)
  })

  it('lets no name or reason be a cell, a tag, a mention or a line of its own', () => {
    const text = gateMarkdown(gateOf(outcome('fail', NASTY)))
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row.split('|')).toHaveLength(6)
    expect(text.replace(MARKDOWN_MARK, '').replace('###', '')).not.toMatch(/[<>@`]|#(?!\d+;)|_z_|\*y\*/)
  })
})
