import { expect, it } from 'vitest'
import type { Assessment } from '../assess/assessment.js'
import { COLORS } from '../chart/parts.js'
import { stream } from '../random/stream.js'
import { tcap } from '../risk/attribution/tcap.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
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

it('a picture is named by its target, shows what is fair, and is not red where the threat is LOW', async () => {
  const subject = release({
    original: people('original'),
    released: people('released'),
    holdout: people('holdout'),
    keys: ['sex'],
    target: ['ill', 'tall'],
  })
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
