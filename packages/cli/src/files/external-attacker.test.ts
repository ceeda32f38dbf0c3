import type { Result } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { workplace } from '../testing/run.js'

const rows = Array.from({ length: 60 }, (_, k) => `${'fm'[k % 2]},${20 + (k % 5)},${k % 2 === 0 ? 'yes' : 'no'}`)
const FILES = {
  'o.csv': `sex,age,ill\n${rows.join('\n')}\n`,
  'r.csv': `sex,age,ill\n${rows.toReversed().join('\n')}\n`,
  // Says of every f that she is ill, of every m that he is not.
  'attack.mjs': `import { readFileSync, writeFileSync } from 'node:fs'
const [train, test, out] = process.argv.slice(2)
const at = readFileSync(train, 'utf8').split('\\n')[0].split(',')
if (at.join() !== 'sex,age,target') throw new Error(at.join())
const people = readFileSync(test, 'utf8').trim().split('\\n').slice(1)
writeFileSync(out, ['no,yes', ...people.map((line) => (line.startsWith('f') ? '0.1,0.9' : '0.8,0.2'))].join('\\n'))
`,
  'said.csv': `prediction\n${rows.map((_, k) => (k < 15 ? 'yes' : k % 2 === 0 ? 'yes' : 'no')).join('\n')}\n`,
  'few.csv': 'prediction\nyes\n',
  'scrim.json': '{"options":{"rapid":{"attackers":["command:node attack.mjs {train} {test} {out}"]}}}',
  'plain.json': '{}',
}
const ROLES = 'measure rapid o.csv r.csv --keys sex,age --target ill --type synthetic --set permutations=0 --json'
const COMMAND = '["command:node attack.mjs {train} {test} {out}"]'.replaceAll(' ', '\\u0020')

describe('attackers of one’s own', () => {
  it('learn from a file, predict another and are scored and compared as all are', async () => {
    const { code, out } = await workplace(FILES).run(`${ROLES} --config plain.json --set attackers=${COMMAND}`)
    expect(code).toBe(0)
    const [{ details, controls }] = (JSON.parse(out) as Result).releases
    expect(details).toMatchObject({ attackers: [{ rate: 1, performance: { accuracy: 1 } }] })
    expect(controls?.fair?.value).toBe(1)
  })

  it('are run from a config only where that is allowed', async () => {
    const place = workplace(FILES)
    const refused = await place.run(ROLES)
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('nothing was run')])
    expect((await place.run(`${ROLES} --allow-commands`)).code).toBe(0)
  })

  it('may have predicted before: 7 of 60 people are guessed wrong', async () => {
    const place = workplace(FILES)
    const { code, out } = await place.run(`${ROLES} --config plain.json --set attackers=file:said.csv`)
    expect(code).toBe(0)
    const [{ details, notAssessed }] = (JSON.parse(out) as Result).releases
    expect(details).toMatchObject({ attackers: [{ performance: { accuracy: 53 / 60 } }] })
    expect(notAssessed?.text).toContain('came from a file')
    const few = await place.run(`${ROLES} --config plain.json --set attackers=file:few.csv`)
    expect([few.code, few.err]).toEqual([2, expect.stringContaining('has predictions for 1 records, and o.csv has 60')])
    const wrong = await place.run(`${ROLES} --config plain.json --set attackers=file:none.csv`)
    expect(wrong.code).toBe(2)
  })

  it('and the models of scrim take options by a path', async () => {
    const { out } = await workplace(FILES).run(`${ROLES} --config plain.json --set hyper.rf.trees=7 --set attackers=rf`)
    expect(JSON.parse(out).options.hyper).toEqual({ rf: { trees: 7 } })
  })
})
