import { isAlarm } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { blockOf, emptyBlock, withBlock } from '../build/marked-block.mjs'
import { answered } from './answers.mjs'
import { filesOf } from './honest-releases.mjs'
import { SHAPES } from './shapes.mjs'
import { alarmsAmong, honestBars, mostAlarms, pairBars } from './tallies.mjs'

const SIZES = [2, 0.5, 1, 3, 0.2]
const PEOPLE = 800

/** One release of each shape, sizes in turn, every third one with a holdout; and the shapes in which records repeat once more. */
const HONEST = [
  ...Object.entries(SHAPES).map(([shape, { people }], k) => ({
    shape,
    people: Math.min(people, PEOPLE),
    size: SIZES[k % SIZES.length],
    holdout: k % 3 === 1,
    seed: 1,
  })),
  ...['coarse', 'latent', 'repetition', 'unique'].map((shape) => ({ shape, size: 2, holdout: false, seed: 2 })),
  { shape: 'small', size: 1, holdout: false, accident: 'an id column in all files', seed: 3 },
]

const answerTo = async (question: (typeof HONEST)[number] | { leak: string }) => ({
  name: JSON.stringify(question),
  ...(await answered(filesOf(question), 1)),
})

/** The short version of `node scripts/validation/honest.mjs`. */
describe('honest releases of many shapes and sizes', () => {
  it('are never HIGH, and alarm no more often than chance has it', async () => {
    const lines = []
    for (const question of HONEST) lines.push(await answerTo(question))
    expect(lines.filter(({ level }) => level === 'HIGH' || level === 'ERROR').map(({ name }) => name)).toEqual([])
    expect(alarmsAmong(lines).length).toBeLessThanOrEqual(mostAlarms(lines.length))
  })

  it('are told from a release with copies of 5 % of the people', async () => {
    const { level } = await answerTo({ shape: 'wide', size: 1, holdout: false, leak: 'copies 5 %', seed: 1 })
    expect(isAlarm(level)).toBe(true)
  })
})

describe('the bars of honest releases', () => {
  const line = (level: string, seed = 1) => ({ level, seed, seconds: 1, threats: [{ threat: 'attribute', level }] })
  const lines = (low: number, moderate: number) => [
    ...Array.from({ length: low }, () => line('LOW')),
    ...Array.from({ length: moderate }, () => line('MODERATE')),
  ]
  const broken = (bars: { kept: boolean; text: string }[]) => bars.filter(({ kept }) => !kept).map(({ text }) => text)

  it('allow a cell of 40 five alarms, and 1,000 answers no more than 50', () => {
    expect([1, 8, 20, 40, 1000].map(mostAlarms)).toEqual([1, 2, 4, 5, 50])
  })

  it('are broken by a cell of six alarms, by one HIGH, and by too few LOW', () => {
    const many = { name: 'many', people: 5000, lines: lines(900, 0) }
    expect(broken(honestBars([many, { name: 'mixed', people: 2000, lines: lines(35, 5) }]))).toEqual([])
    expect(broken(honestBars([many, { name: 'mixed', people: 2000, lines: lines(34, 6) }]))).toEqual([
      'honest releases: more than 5 % alarms, beyond chance, in 1 of 2 cells: mixed',
    ])
    expect(broken(honestBars([many, { name: 'mixed', people: 2000, lines: [line('HIGH')] }]))).toEqual([
      'honest releases: HIGH 1 times (never)',
    ])
    const open = Array.from({ length: 40 }, () => line('INCONCLUSIVE'))
    expect(broken(honestBars([{ name: 'open', people: 1000, lines: open }]))).toEqual([
      'honest releases of 1,000 people and more: LOW 0 of 40 (0.0 %, at least 90 %)',
    ])
    expect(broken(honestBars([{ name: 'open', people: 300, lines: open }]))).toEqual([])
  })

  it('are broken by an alarm that a holdout takes away', () => {
    expect(broken(pairBars([[line('LOW'), line('LOW')]]))).toEqual([])
    expect(broken(pairBars([[line('MODERATE'), line('LOW')]]))).toEqual([
      'with and without a holdout: 0 of 1 agree in what both can tell (0.0 %, at least 90 %)',
      'alarms that a holdout takes away: 1 of 1 (none)',
    ])
  })
})

describe('a block of a page', () => {
  it('is written again and again, and the rest of the page stays', () => {
    const page = `above\n${emptyBlock('honest releases')}\nbelow`
    const written = withBlock(withBlock(page, 'honest releases', 'once'), 'honest releases', 'twice')
    expect(written).toBe('above\n<!-- honest releases:start -->\ntwice\n<!-- honest releases:end -->\nbelow')
    expect(blockOf(written, 'honest releases')).toBe('twice')
    expect(() => withBlock('none', 'honest releases', 'text')).toThrow(/lacks/)
  })
})
