import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Assessment, type JsonObject, type Level, LIMITS, THREATS, type Threat } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const ROLES = '--keys sex,age --target income --profile quick --threads 1'
const ALL = `check original.csv released.csv --policy policy.json ${ROLES}`

/** k-anonymity with k = 2 is 3/8 for released.csv, 4/8 for original.csv and 0 for other.csv. */
const POLICY = { measures: { 'k-anonymity': { max: 0.2 } } }
const CONFIG = { 'scrim.json': JSON.stringify({ options: { 'k-anonymity': { k: 2 } } }) }

function withPolicy(policy: object, more: Readonly<Record<string, string>> = {}) {
  const place = workplace({ ...PEOPLE, ...CONFIG, 'policy.json': JSON.stringify(policy), ...more })
  const run: typeof place.run = async (command, how) => {
    const result = await place.run(command, how)
    return { ...result, err: result.err.replace(/^scrim: using scrim.json\n/, '') }
  }
  return { ...place, run }
}

function threatAssessment(
  threat: Threat,
  level: Level,
  leakage: number | null,
): Assessment['releases'][number]['threats'][number] {
  return {
    threat,
    target: threat === 'attribute' ? 'income' : null,
    level,
    leakage,
    interval: leakage === null ? null : { lower: leakage - 0.1, upper: leakage + 0.1 },
    shareOfPeople: null,
    p: null,
    adjustedP: null,
    correction: null,
    exposure: null,
    people: null,
    decidedBy: null,
    says: null,
    look: null,
    view: null,
    lookNumber: 0,
    value: null,
    unit: null,
    controls: null,
    limits: LIMITS[threat],
    drivers: [],
    columns: [],
    supports: [],
    contradicts: [],
    structure: [],
    reason: leakage === null ? { code: 'needs', needs: ['holdout'] } : null,
    settles: null,
  }
}

/** An assessment of released.csv: attribute inference of this leakage, membership LOW, nothing else tested. */
function assessment(level: Level, leakage: number): Assessment & JsonObject {
  return {
    schemaVersion: 2,
    seed: 1,
    original: { name: 'original.csv', records: 8 },
    holdout: null,
    keys: ['sex', 'age'],
    numericKeys: [],
    targets: ['income'],
    type: 'unknown',
    releases: [
      {
        name: 'released.csv',
        records: 8,
        likeness: null,
        notCovered: [],
        onlyByNumbers: null,
        verdict: { level, threat: 'attribute', target: 'income', sentence: '', recommendation: '' },
        threats: THREATS.map((threat) =>
          threat === 'attribute'
            ? threatAssessment(threat, level, leakage)
            : threat === 'membership'
              ? threatAssessment(threat, 'LOW', 0)
              : threatAssessment(threat, 'NOT ASSESSED', null),
        ),
        structure: [],
        diagnoses: [],
        utility: null,
      },
    ],
    syntheses: null,
    generator: [],
    notRun: [],
    failed: [],
    notes: [],
    publishableNotes: [],
    remarks: [],
  }
}

const SAVED = {
  overall: 'LOW',
  threats: { attribute: { level: 'LOW', bound: 0.2 }, membership: { level: 'LOW' }, identity: { level: 'LOW' } },
}

function withAssessment(level: Level, leakage: number, more: Readonly<Record<string, string>> = {}) {
  return withPolicy(SAVED, { 'result.json': JSON.stringify(assessment(level, leakage)), ...more })
}
const FROM_SAVED = 'check --policy policy.json --assessment result.json'

describe('scrim check', () => {
  it('assesses the files, prints a table and exits with 3 when a rule fails', async () => {
    const { code, out, err } = await withPolicy(POLICY).run(ALL)
    expect([code, err]).toEqual([3, ''])
    expect(out).toBe(
      [
        'outcome  rule                 release       found (leakage)  allowed',
        '-------  -------------------  ------------  ---------------  --------------',
        'fail     measure:k-anonymity  released.csv  37.5 %           at most 20.0 %',
        '',
        '- released.csv contains most of original.csv: 3 of the 6 records that occur once',
        '  are in it unchanged',
        '',
        '1 of 1 rules fails',
        '',
      ].join('\n'),
    )
  })

  it('exits with 0 when none does', async () => {
    const { code, out } = await withPolicy({ measures: { 'k-anonymity': { max: 0.4 } } }).run(ALL)
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, '0 of 1 rules fail'])
  })

  it('checks each of several releases', async () => {
    const command = `check original.csv released.csv other.csv --policy policy.json ${ROLES}`
    const { code, out } = await withPolicy(POLICY).run(command)
    expect(code).toBe(3)
    expect(out).toMatch(/^fail +measure:k-anonymity +released\.csv .*\npass +measure:k-anonymity +other\.csv /m)
  })

  it('holds a finished assessment against a policy, failures first', async () => {
    const { code, out } = await withAssessment('HIGH', 0.5).run(FROM_SAVED)
    expect(code).toBe(3)
    expect(out).toBe(
      [
        'outcome     rule               release                found (leakage)  allowed',
        '----------  -----------------  ---------------------  ---------------  -------',
        'fail        overall            released.csv           HIGH             LOW',
        'fail        threat:attribute   released.csv (income)  HIGH (50 %)      LOW',
        'not tested  threat:identity    released.csv           not tested       -',
        'pass        threat:membership  released.csv           LOW (none)       LOW',
        '',
        '2 of 4 rules fail',
        '',
      ].join('\n'),
    )
  })

  it('says first that a release is the original, and the leakage also in JUnit', async () => {
    const saved = assessment('HIGH', 0.5)
    const likeness = 'released.csv is the original'
    const copy = { ...saved, releases: saved.releases.map((one) => ({ ...one, likeness })) }
    const { out } = await withPolicy(SAVED, { 'result.json': JSON.stringify(copy) }).run(FROM_SAVED)
    expect(out).toContain('\n- released.csv is the original\n')
    const { out: junit } = await withAssessment('HIGH', 0.5).run(`${FROM_SAVED} --junit -`)
    expect(junit).toContain('Attribute inference (income) is HIGH, leakage 50 %; at most LOW is allowed.')
  })

  it('policy init writes a policy that check takes, and overwrites none', async () => {
    const { run, read } = workplace({ 'result.json': JSON.stringify(assessment('HIGH', 0.5)) })
    expect(await run('policy init')).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(read('policy.json'))).toMatchObject({ overall: 'LOW' })
    expect((await run(FROM_SAVED)).code).toBe(3)
    const again = await run('policy init')
    expect([again.code, again.err]).toEqual([
      2,
      'scrim: policy.json is there already, and a policy is never overwritten; -o names another file\n',
    ])
  })

  it('fits into 80 columns, one line each, whatever the names are', async () => {
    const saved = assessment('HIGH', 0.5)
    const long = {
      ...saved,
      releases: saved.releases.map((one) => ({ ...one, name: `${'folder/'.repeat(12)}released.csv` })),
    }
    const policy = {
      threats: { 'memorisation-tail': { level: 'LOW', mustBeTested: true } },
      measures: { 'epsilon-identifiability': { max: 0.123456 } },
    }
    const { out } = await withPolicy(policy, { 'result.json': JSON.stringify(long) }).run(FROM_SAVED)
    const lines = out.split('\n')
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80)
    expect(lines).toHaveLength(7)
    expect(out).toMatch(/^fail +threat:memorisation-tail +fol[^ ]*…[^ ]*\.csv /m)
  })

  it('tells of waivers that expired or match nothing', async () => {
    const waiver = { reason: 'agreed', name: 'Jane Doe' }
    const waivers = [
      { rule: 'threat:attribute', ...waiver, expires: '2999-12-31' },
      { rule: 'overall', ...waiver, expires: '2000-01-01' },
      { rule: 'measure:suda', ...waiver, expires: '2999-12-31' },
    ]
    const { code, out } = await withAssessment('HIGH', 0.5, {
      'policy.json': JSON.stringify({ ...SAVED, waivers }),
    }).run(FROM_SAVED)
    expect(code).toBe(3)
    expect(out).toMatch(/^fail +overall /m)
    expect(out).toMatch(/^waived +threat:attribute /m)
    expect(out).toContain('- the waiver of overall by Jane Doe expired on 2000-01-01 and does not count\n')
    expect(out).toContain('- the waiver of measure:suda by Jane Doe matches no rule and release\n')
    expect(out.endsWith('\n1 of 4 rules fails\n')).toBe(true)
  })

  it('exits with 1 when a measure broke that a rule rests on', async () => {
    const broken = {
      ...assessment('LOW', 0),
      failed: [{ measure: 'attribution', reason: { code: 'failed', message: 'out of luck' } }],
    }
    const policy = { threats: { identity: { level: 'LOW' } }, measures: { attribution: { max: 1 } } }
    const { code, out } = await withPolicy(policy, { 'result.json': JSON.stringify(broken) }).run(FROM_SAVED)
    expect([code, out]).toEqual([1, expect.stringContaining('- attribution failed: out of luck\n')])
  })
})

describe('a baseline', () => {
  it('that was written lets pass what has not got worse', async () => {
    const { run, read } = withPolicy(POLICY)
    expect((await run(`${ALL} --write-baseline baseline.json`)).code).toBe(3)
    const baseline = JSON.parse(read('baseline.json'))
    expect(baseline).toMatchObject({ kind: 'scrim baseline', releases: [{ name: 'released.csv' }] })
    const again = await run(`${ALL} --baseline baseline.json`)
    expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^not worse +measure:k-anonymity /m)])
    const renamed = `check original.csv other.csv --policy policy.json ${ROLES} --baseline baseline.json`
    expect((await run(renamed)).code).toBe(0)
    const worse = `check original.csv original.csv --policy policy.json ${ROLES} --baseline baseline.json`
    expect((await run(worse)).code).toBe(3)
  })

  it('may be an assessment', async () => {
    const before = JSON.stringify(assessment('HIGH', 0.5))
    const codes = await Promise.all(
      [0.45, 0.59, 0.61].map(
        async (leakage) =>
          (await withAssessment('HIGH', leakage, { 'before.json': before }).run(`${FROM_SAVED} --baseline before.json`))
            .code,
      ),
    )
    expect(codes).toEqual([0, 0, 3])
  })
})

describe('outputs', () => {
  it('are JUnit, SARIF, Markdown and a baseline', async () => {
    const { run, read, files } = withAssessment('HIGH', 0.5)
    await run(`${FROM_SAVED} --junit check.xml --sarif check.sarif --markdown check.md --write-baseline baseline.json`)
    expect(files()).toEqual(expect.arrayContaining(['baseline.json', 'check.md', 'check.sarif', 'check.xml']))
    expect(read('check.xml')).toContain('<testsuites name="scrim check" tests="4" failures="2" errors="0" skipped="1">')
    expect(JSON.parse(read('check.sarif'))).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'scrim', version: expect.stringMatching(/^\d/) } } }],
    })
    expect(read('check.md')).toContain('### scrim check: 2 of 4 rules fail')
    expect(JSON.parse(read('baseline.json'))).toMatchObject({ releases: [{ level: 'HIGH' }] })
  })

  it.each([
    ['--json', /^\{\n {2}"outcomes": \[[\s\S]*"failing": 2,[\s\S]*\n\}\n$/],
    ['--junit', /^<\?xml [\s\S]*<\/testsuites>\n$/],
    ['--sarif', /^\{\n[\s\S]*\n\}\n$/],
    ['--markdown', /^<!-- scrim check -->\n/],
    ['--write-baseline', /^\{\n {2}"kind": "scrim baseline",/],
  ])('%s - goes to stdout alone, and the table to stderr', async (flag, text) => {
    const { code, out, err } = await withAssessment('HIGH', 0.5).run(`${FROM_SAVED} ${flag} -`)
    expect([code, out]).toEqual([3, expect.stringMatching(text)])
    expect(err).toMatch(/^outcome [\s\S]*\n2 of 4 rules fail\n$/)
  })

  it('point at the released file', async () => {
    const { run, read } = workplace({
      'in put/original.csv': PEOPLE['original.csv'],
      'in put/out/released.csv': PEOPLE['released.csv'],
      'policy.json': JSON.stringify(POLICY),
    })
    const files = "'in put/original.csv' './in put/out/released.csv'"
    await run(`check ${files} --policy policy.json ${ROLES} --sarif check.sarif`)
    const [run0] = JSON.parse(read('check.sarif')).runs
    expect(run0.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('in%20put/out/released.csv')
  })

  it.each(['original.csv', 'released.csv', 'policy.json', 'other.csv', './policy.json', 'link.json'])(
    'never overwrite %s, which is read',
    async (file) => {
      const { run, read, folder } = withPolicy(POLICY)
      symlinkSync(join(folder, 'policy.json'), join(folder, 'link.json'))
      const before = read(file)
      const { code, err } = await run(`${ALL} --holdout other.csv --junit ${file}`)
      expect([code, err]).toEqual([2, `scrim: cannot write ${file}: it is read as an input of this command\n`])
      expect(read(file)).toBe(before)
    },
  )

  it('are each a file of their own, and one at most is stdout', async () => {
    const { run } = withAssessment('HIGH', 0.5)
    expect(await run(`${FROM_SAVED} --junit x --sarif ./x`)).toMatchObject({
      code: 2,
      err: 'scrim: cannot write ./x: it is named for two outputs\n',
    })
    expect(await run(`${FROM_SAVED} --junit - --markdown -`)).toMatchObject({
      code: 2,
      err: 'scrim: only one of --json, --junit, --sarif, --markdown, --write-baseline can go to stdout\n',
    })
    expect(await run(`${FROM_SAVED} --junit no/such/x`)).toMatchObject({
      code: 2,
      err: 'scrim: cannot write no/such/x: there is no folder no/such\n',
    })
  })
})

describe('mistakes exit with 2', () => {
  it.each<[string, string, RegExp]>([
    ['no policy', 'check original.csv released.csv', /^scrim: no policy given; usage: /],
    ['no files', 'check --policy policy.json', /^scrim: no files given; usage: /],
    [
      'a policy that is not there',
      'check --assessment result.json --policy polcy.json',
      /no file polcy\.json; did you mean "policy\.json"\?/,
    ],
    [
      'a policy that is not JSON',
      'check --assessment result.json --policy original.csv',
      /^scrim: original\.csv is not JSON: /,
    ],
    [
      'an assessment that is none',
      'check --assessment policy.json --policy policy.json',
      /^scrim: policy\.json is not an assessment that scrim wrote/,
    ],
    [
      'a baseline that is none',
      `${FROM_SAVED} --baseline policy.json`,
      /^scrim: policy\.json is not a baseline or an assessment/,
    ],
    [
      'a flag that has no effect',
      `${FROM_SAVED} --keys sex --profile quick`,
      /^scrim: --keys has no effect: .*\nscrim: --profile has no effect/,
    ],
    [
      'an unknown profile',
      'check original.csv released.csv --policy policy.json --profile quik',
      /^scrim: --profile must be "quick", "standard" or "full", found "quik"; did you mean "quick"\?/,
    ],
    [
      'other files than assessed',
      `${FROM_SAVED} original.csv other.csv`,
      /^scrim: result\.json is about released\.csv, but other\.csv is given\n$/,
    ],
    [
      'more files than assessed',
      `${FROM_SAVED} original.csv released.csv other.csv`,
      /^scrim: result\.json is about 2 files \(original\.csv, released\.csv\), but 3 are given\n$/,
    ],
  ])('%s', async (_, command, message) => {
    const { code, out, err } = await withAssessment('LOW', 0).run(command)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it('a policy with mistakes, all told at once', async () => {
    const policy = { overall: 'GOOD', threats: { atribute: { level: 'LOW' } } }
    const { code, err } = await withPolicy(policy).run(ALL)
    expect(code).toBe(2)
    expect(err.split('\n')).toEqual([
      'scrim: policy.json: overall is "GOOD"; expected one of LOW, INCONCLUSIVE, MODERATE, HIGH',
      'scrim: policy.json: threats: unknown threat "atribute"; did you mean "attribute"?',
      '',
    ])
  })

  it('an assessment of an older file of the same name', async () => {
    const files = ['original', 'released'].map((name) => ({
      role: name === 'original' ? 'original' : 'release',
      name: `${name}.csv`,
      sha256: '0'.repeat(64),
    }))
    const saved = JSON.stringify({ ...assessment('LOW', 0), files })
    const { code, err } = await withPolicy(SAVED, { 'result.json': saved }).run(
      `${FROM_SAVED} original.csv released.csv`,
    )
    expect(code).toBe(2)
    expect(err).toContain('scrim: result.json was made from another file than this released.csv\n')
  })
})

it('what scrim assess wrote is checked as the files are', async () => {
  const { run } = withPolicy({ ...POLICY, overall: 'INCONCLUSIVE', threats: { memorisation: { bound: 0.1 } } })
  const files = 'original.csv released.csv'
  expect((await run(`assess ${files} ${ROLES.replace('quick', 'standard')} --json result.json`)).code).toBeLessThan(2)
  const saved = await run(`check ${files} --policy policy.json --assessment result.json`)
  const computed = await run(ALL.replace('quick', 'standard'))
  expect([saved.code, saved.out]).toEqual([computed.code, computed.out])
  expect(saved.out).toMatch(/^fail +measure:k-anonymity +released\.csv +37\.5 %/m)
})

it('an assessment may be checked beside its files', async () => {
  const { code } = await withAssessment('LOW', 0).run(`${FROM_SAVED} original.csv released.csv`)
  expect(code).toBe(0)
})
