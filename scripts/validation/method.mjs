// The numbers of docs/method.md on honest releases: shared information in bulk and in the tail, and membership, where nothing leaks.
// node scripts/validation/method.mjs [--write] [--runs 200]; ends with 1 where a bar is broken.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auc, inline, openCase, personScores, selectRows, sharedInformation, sharedInformationTail } from '@scrim/core'
import { demoPeople } from '@scrim/studies'
import { withBlock } from '../build/marked-block.mjs'

const { values } = parseArgs({ options: { write: { type: 'boolean' }, runs: { type: 'string', default: '200' } } })
const runs = Number(values.runs)
const PEOPLE = 150
const SIZES = [0.5, 1, 2]
const LEVEL_OF_TESTS = 1 / 20

const rows = []
let isBroken = false
for (const size of SIZES) {
  const found = { closer: [], bulk: [], tail: [], twins: [], others: [], area: [], areaP: [] }
  for (let run = 0; run < runs; run++) {
    const { original: crowd } = demoPeople(5 * PEOPLE, 1000 * SIZES.indexOf(size) + run + 1)
    const between = (from, to) =>
      selectRows(
        crowd,
        Array.from({ length: to - from }, (_, k) => from + k),
      )
    const original = between(0, PEOPLE)
    const released = between(2 * PEOPLE, 2 * PEOPLE + size * PEOPLE)
    const { release } = openCase({ type: 'synthetic' }, { original, released })
    const [bulk, tail] = [await sharedInformation(release), await sharedInformationTail(release)].map(
      (one) => one.releases[0],
    )
    found.closer.push(bulk.value)
    found.bulk.push(bulk.effect.p)
    found.tail.push(tail.effect.p)
    found.twins.push(tail.value)
    found.others.push(tail.controls.fair.value)
    const real = between(0, 2 * PEOPLE)
    const all = Int32Array.from({ length: 2 * PEOPLE }, (_, row) => row)
    const scores = (await personScores(real, released, all, 1, { tasks: inline }))['shared information']
    const area = auc(scores.subarray(0, PEOPLE), scores.subarray(PEOPLE))
    found.area.push(area.auc)
    found.areaP.push(area.p)
  }
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const error = (numbers) =>
    Math.sqrt(mean(numbers.map((number) => (number - mean(numbers)) ** 2)) / (numbers.length - 1))
  const rejected = (ps) => mean(ps.map((p) => (p < LEVEL_OF_TESTS ? 1 : 0)))
  const chance = (size * PEOPLE) / (size * PEOPLE + PEOPLE - 1)
  const text = (numbers, digits = 4) => `${mean(numbers).toFixed(digits)} ± ${error(numbers).toFixed(digits)}`
  const share = (ps) => `${(100 * rejected(ps)).toFixed(1)} %`
  rows.push([
    size,
    chance.toFixed(4),
    text(found.closer),
    share(found.bulk),
    text(found.twins),
    text(found.others),
    share(found.tail),
    text(found.area),
    share(found.areaP),
  ])
  // Four standard errors: what is exact is off by more once in 16,000 times.
  const isOff = (numbers, truth) => Math.abs(mean(numbers) - truth) > 4 * error(numbers)
  const often = LEVEL_OF_TESTS + 4 * Math.sqrt((LEVEL_OF_TESTS * (1 - LEVEL_OF_TESTS)) / runs)
  isBroken ||=
    isOff(found.closer, chance) ||
    isOff(found.area, 1 / 2) ||
    [found.bulk, found.tail, found.areaP].some((ps) => rejected(ps) > often)
}
const header = [
  'release / original',
  'ν',
  'mean h',
  'bulk rejected at 5 %',
  'released twins',
  'twins among others',
  'tail rejected',
  'AUC of S',
  'rejected',
]
const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
console.log(table)
if (values.write) {
  const page = join(import.meta.dirname, '../../docs/method.md')
  writeFileSync(
    page,
    withBlock(
      readFileSync(page, 'utf8'),
      'null',
      `${runs} honest releases of each size, ${PEOPLE} people, ± a standard error:\n\n${table}`,
    ),
  )
}
if (isBroken) {
  console.error('a null is not what docs/method.md says')
  process.exitCode = 1
}
