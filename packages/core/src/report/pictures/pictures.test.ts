import { expect, it } from 'vitest'
import type { Assessment } from '../../assess/assessment.js'
import { COLORS } from '../../chart/parts.js'
import { stream } from '../../random/stream.js'
import { disclosure } from '../../risk/attribution/disclosure.js'
import { tcap } from '../../risk/attribution/tcap.js'
import { rapid } from '../../risk/inference/rapid.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { picturesOf } from './pictures.js'

const people = (name: string) => {
  const random = stream(2, name)
  const sex = Array.from({ length: 200 }, () => 'fm'[random.below(2)])
  return tableOf(name, {
    sex,
    ill: sex.map((one) => (one === 'f' ? 'yes' : 'no')),
    tall: sex.map((one) => (one === 'm' && random.uniform() < 0.99 ? 'yes' : 'no')),
  })
}

const subject = release({
  original: people('original'),
  released: people('released'),
  holdout: people('holdout'),
  keys: ['sex'],
  target: ['ill', 'tall'],
})
const threatOf = (target: string, leakage: number) => ({
  threat: 'attribute',
  target,
  level: 'LOW',
  leakage,
  decidedBy: 'attribution',
})

it('a picture of all targets is named by none, and each target has its own too', async () => {
  const result = await disclosure.run(subject)
  const assessment = {
    releases: [{ name: 'released', threats: [threatOf('ill', 0.5), threatOf('tall', 0)] }],
  } as unknown as Assessment
  const pictures = picturesOf(disclosure, result, assessment)
  const written = (name: string) => JSON.stringify(pictures.find((picture) => picture.name === name)?.chart)
  expect(
    pictures
      .map(({ name }) => name)
      .filter((name) => name.startsWith('disclosure-disclosure'))
      .sort(),
  ).toEqual(['disclosure-disclosure', 'disclosure-disclosure-ill', 'disclosure-disclosure-tall'])
  expect(written('disclosure-disclosure')).toMatch(/ill \(.*tall \(/)
  expect(written('disclosure-disclosure')).not.toContain('leakage')
  expect(written('disclosure-disclosure-ill')).toContain('LOW: attribute inference, leakage 50')
  expect(written('disclosure-disclosure-ill')).not.toContain('tall (')
})

it('a picture is named by its target, shows what is fair, and is not red where the threat is LOW', async () => {
  const result = await tcap.run(subject)
  const threats = [{ threat: 'attribute', target: null, level: 'LOW', leakage: 0, decidedBy: 'attribution' }]
  const assessment = { releases: [{ name: 'released', threats }] } as unknown as Assessment
  const pictures = picturesOf(tcap, result, assessment)
  const titles = pictures.map(({ chart }) => chart.title)
  expect(titles.length).toBeGreaterThan(1)
  expect(new Set(titles).size).toBe(titles.length)
  for (const { chart } of pictures) {
    expect(chart.title).toMatch(/released, (ill|tall)$/)
    expect(JSON.stringify(chart.spec)).not.toContain(COLORS.alarm)
    expect(chart.spec.title).toMatchObject({
      subtitle: [expect.stringMatching(/^LOW: attribute/), expect.stringMatching(/; fair /)],
    })
  }
  expect(JSON.stringify(picturesOf(tcap, result))).toContain(COLORS.alarm)
})

it('several releases are drawn together where a measure says how: the mean curve in its band', async () => {
  const released = ['a', 'b', 'c'].map(people)
  const subject = release({ original: people('original'), released, keys: ['sex', 'tall'], target: 'ill' })
  const result = await rapid.run(subject, { attackers: ['cart'], interval: 'wilson', bootstrap: 0, permutations: 0 })
  const over = picturesOf(rapid, result).filter(({ name }) => name.includes('over-releases'))
  expect(over.map(({ name }) => name)).toEqual(['rapid-thresholds-over-releases'])
  const { values } = over[0].chart.spec.data as { values: readonly Record<string, number | string>[] }
  const rates = result.releases.map(
    ({ details }) => (details as unknown as { curve: { rate: number }[] }).curve[3].rate,
  )
  expect(values[3]).toMatchObject({ lower: Math.min(...rates), upper: Math.max(...rates), series: 'observed' })
  expect(values[3].y).toBeCloseTo(rates.reduce((sum, rate) => sum + rate, 0) / 3, 12)
  const one = await rapid.run({ ...subject, released: subject.released.slice(0, 1) }, { attackers: ['cart'] })
  expect(JSON.stringify(picturesOf(rapid, one).map(({ name }) => name))).not.toContain('over-releases')
})
