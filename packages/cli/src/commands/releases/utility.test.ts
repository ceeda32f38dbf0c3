import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const BOTH = 'utility original.csv released.csv'

describe('scrim utility', () => {
  it('says how useful a release is, with every measure beside an honest sample, within 80 columns', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(`${BOTH} --measures pmse,tables,hellinger`, { columns: 80 })
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(out).toMatch(/^(FAITHFUL|USABLE|LIMITED|POOR|NOT ASSESSED) (\d+ %|-): released\.csv$/m)
    expect(out).toMatch(/measure +value +honest +ratio +place +sample +p/)
    for (const measure of ['pmse', 'tables', 'hellinger']) expect(out).toMatch(new RegExp(`^ +${measure} `, 'm'))
    expect(out).not.toMatch(/HIGH|MODERATE|leakage/)
  })

  it('--json prints what the published schema says', async () => {
    const { code, out } = await workplace(PEOPLE).run(`${BOTH} --measures pmse --json -`)
    expect(code).toBe(0)
    const [release] = JSON.parse(out).releases
    expect(release.utility.measures).toMatchObject([{ measure: 'pmse', scale: 'joint' }])
  })

  it('the quick profile, which has no measure of utility, is refused', async () => {
    const { code, err } = await workplace(PEOPLE).run(`${BOTH} --profile quick`)
    expect(code).toBe(2)
    expect(err).toContain('choose standard or full')
  })

  it('a column that is not there is the user’s mistake', async () => {
    const { code, err } = await workplace(PEOPLE).run(`${BOTH} --measures pmse --set pmse.variables=["agee"]`)
    expect(code).toBe(2)
    expect(err).toContain('"agee"')
  })
})

it('scrim assess shows utility beside the risk, and leaves it out when told to', async () => {
  const command = 'assess original.csv released.csv --keys sex,age --target income'
  const both = await workplace(PEOPLE).run(`${command} --measures attribution,pmse`, { columns: 80 })
  expect(both.out).toMatch(/^ {2}Utility (FAITHFUL|USABLE|LIMITED|POOR|NOT ASSESSED)/m)
  const alone = await workplace(PEOPLE).run(`${command} --risk-only --profile quick`, { columns: 80 })
  expect(alone.out).not.toContain('Utility')
})
