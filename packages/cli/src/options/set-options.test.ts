import { describe, expect, it } from 'vitest'
import { workplace } from '../testing/run.js'

const ROWS = Array.from({ length: 60 }, (_, k) => [
  'fm'[(k * 7 + (k >> 3)) % 2],
  20 + ((k * 13) % 50),
  ['low', 'mid', 'high'][(k * 11 + (k >> 4)) % 3],
  (k * k) % 41,
])
const csv = (rows: readonly (readonly (string | number)[])[]) =>
  `sex,age,income,yrs.service\n${rows.map((row) => row.join(',')).join('\n')}\n`
const FILES = { 'o.csv': csv(ROWS), 'r.csv': csv(ROWS.map((row, k) => [...row.slice(0, 3), (k * 3) % 41])) }
const RAPID = 'measure rapid o.csv r.csv --keys sex,age --target income --json --set permutations=0 --set bootstrap=0'

async function options(command: string): Promise<Record<string, unknown>> {
  const { out, err } = await workplace(FILES).run(command)
  expect(err).toBe('')
  return (JSON.parse(out) as { options: Record<string, unknown> }).options
}

describe('--set', () => {
  it('takes a list of one, and lists with commas', async () => {
    expect((await options(`${RAPID} --set attackers=cart`)).attackers).toEqual(['cart'])
    expect((await options(`${RAPID} --set attackers=cart,prior`)).attackers).toEqual(['cart', 'prior'])
    expect((await options(`${RAPID} --set 'attackers=["cart"]'`)).attackers).toEqual(['cart'])
  })

  it('takes numbers as people write them', async () => {
    expect((await options(`${RAPID} --set attackers=cart --set tau=.25`)).tau).toBe(0.25)
  })

  it('takes columns with dots in their names', async () => {
    const { run } = workplace(FILES)
    const { code, out } = await run('anonymise o.csv -o - --method recode --set groups.yrs.service=fixed:0|10|41')
    expect([code, out.split('\n')[1]]).toEqual([0, 'f,20,low,<10'])
  })

  it('checks the range of a threshold', async () => {
    const { code, err } = await workplace(FILES).run(`${RAPID} --set tau=5`)
    expect([code, err]).toEqual([2, 'scrim: rapid: option "tau" must be a number of at most 1, found 5\n'])
  })
})

describe('what a measure needs', () => {
  it('dcap by Gower distance takes numeric keys alone', async () => {
    const { code, out } = await workplace(FILES).run(
      'measure dcap o.csv r.csv --numeric-keys age --target income --set matching=gower --json',
    )
    expect([code, (JSON.parse(out) as { status: string }).status]).toEqual([0, 'ok'])
    const { code: none, err } = await workplace(FILES).run('measure dcap o.csv r.csv --target income')
    expect(none).toBe(2)
    expect(err).toMatch(/^scrim: dcap needs key variables \(--keys a,b/)
  })

  it('key-sweep takes no target for figures of identity', async () => {
    const { run } = workplace(FILES)
    const { out } = await run('measure key-sweep o.csv r.csv --keys sex,age --set figure=repU --json')
    const alone = JSON.parse(out) as { value: number }
    const beside = await run('measure key-sweep o.csv r.csv --keys sex,age --target income --set figure=repU --json')
    expect(alone.value).toBe((JSON.parse(beside.out) as { value: number }).value)
    expect((await run('measure key-sweep o.csv r.csv --keys sex,age')).err).toContain('key-sweep needs a target')
  })

  it('rapid-cv takes a synthesizer of one’s own', async () => {
    const { code, out } = await workplace(FILES).run(
      "measure rapid-cv o.csv r.csv --keys sex,age --target income --set attackers=cart --set folds=2 --json --synthesizer 'command:cp {in} {out}'",
    )
    const result = JSON.parse(out) as { status: string; releases: { details: { members: number } }[] }
    expect([code, result.status]).toEqual([0, 'ok'])
    expect(result.releases[0].details.members).toBeGreaterThan(0)
  })
})
