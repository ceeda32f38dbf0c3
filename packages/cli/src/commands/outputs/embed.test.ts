import { describe, expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

const cells = [
  ['f', 'n', 12],
  ['f', 's', 9],
  ['m', 'n', 10],
  ['m', 's', 8],
]
const COUNTS = {
  id: 'counts',
  kind: 'table',
  by: ['sex', 'region'],
  values: cells.map(([sex, region, value]) => ({ cell: { sex, region }, value })),
}
const VARIABLES = [
  { name: 'sex', type: 'categorical', levels: ['f', 'm'] },
  { name: 'region', type: 'categorical', levels: ['n', 's'] },
]
const place = (request: object) => workplace({ 'request.json': JSON.stringify(request) })

describe('scrim embed', () => {
  it('writes simulated records of printed numbers alone, and says how many numbers they give', async () => {
    const { run, read } = place({ n: 39, variables: VARIABLES, outputs: [COUNTS] })
    const { code, out, err } = await run('embed request.json -o made.csv')
    expect([code, out, err]).toEqual([
      0,
      '39 simulated records reproduce 4 of 4 printed numbers.\nWritten: made.csv.\n',
      '',
    ])
    const [head, ...rows] = read('made.csv').trim().split('\n')
    expect(head).toBe('sex,region,scrim_record')
    expect(rows.filter((row) => row === 'f,s,simulated from outputs')).toHaveLength(9)
  })

  it('shows the numbers that cannot be had', async () => {
    const { run, read } = place({ n: 30, variables: VARIABLES, outputs: [COUNTS] })
    const { code, out } = await run('embed request.json -o made.csv --json made.json --set proposals=5000', {
      columns: 80,
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^30 simulated records reproduce \d of 4 printed numbers\.\n\noutput +number +printed +here\n/)
    const { records, numbers, reproduced, off } = JSON.parse(read('made.json'))
    expect([records, numbers, reproduced]).toEqual([30, 4, 4 - off.length])
    expect(off[0]).toMatchObject({ output: 'counts', statistic: 'count' })
    expect(off[0].here).not.toBe(off[0].printed)
  })

  it('says in one sentence what is missing', async () => {
    const { run, files } = place({ outputs: [COUNTS], variables: [VARIABLES[0]] })
    const { code, err } = await run('embed request.json -o made.csv')
    expect([code, err.trim().split('\n')]).toEqual([
      2,
      [
        'scrim: the request does not say all that is needed without the data; missing: "n", the number of records; variable "region" with its type and its levels or range',
      ],
    ])
    expect(files()).not.toContain('made.csv')
    expect((await run('embed')).err).toContain('no request given')
    expect((await run('embed request.json')).err).toContain('-o is missing')
    expect((await run('embed request.json -o made.csv --set engin=ea')).err).toContain('unknown option "engin"')
  })
})
