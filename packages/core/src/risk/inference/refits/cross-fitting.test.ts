import { expect, it } from 'vitest'
import type { Context } from '../../../measure.js'
import { stream } from '../../../random/stream.js'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { attackRelease } from '../attack/attack.js'
import { setScene } from '../attack/scene.js'
import { rapid } from '../rapid.js'
import { normalPValue } from '../rates/chance.js'
import { flagsOf } from '../rates/evaluation.js'
import { crossFitted, inSample } from './cross-fitting.js'

const context: Context = {
  seed: 1,
  random: (purpose, index) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}

const options = (given: Parameters<typeof rapid>[1] = {}) => ({
  ...rapid.options.parse({ attackers: ['cart'], ...given }),
  error: 'symmetric' as const,
})
const memory = { minsplit: 2, minbucket: 1, cp: 0 }

function people(name: string, n: number, seed: number) {
  const draw = stream(seed, name)
  const x = Array.from({ length: n }, () => draw.below(1000))
  return tableOf(name, {
    x,
    class: x.map((value) => (draw.below(4) === 0 ? 'abc'[draw.below(3)] : 'abc'[Math.floor(value / 334)])),
    number: x.map((value) => 100 + value / 10 + draw.below(40)),
  })
}

const original = people('original', 200, 1)
const of = (target: string) => release({ original, released: original, keys: ['x'], target })
const sceneOf = (target: string, chosen = options()) =>
  setScene({ release: of(target), part: 0, target }, chosen, context)

it('a tree that remembers everybody knows all of the people it was trained on, and others as well as it may', async () => {
  const attacker = { attacker: 'cart', hyper: memory }
  const own = flagsOf(await inSample(sceneOf('class'), attacker), options())
  const others = await crossFitted(sceneOf('class'), attacker, 5)
  expect(own.rate).toBeGreaterThan(0.95)
  const rate = others === null ? 1 : flagsOf(others.everybody, options()).rate
  expect(rate).toBeGreaterThan(0.4)
  expect(rate).toBeLessThan(0.8)
})

it('in sample it is the attack on a copy', async () => {
  for (const target of ['class', 'number']) {
    const subject = { release: of(target), part: 0, target } as const
    const { attacks } = await attackRelease(subject, options(), context)
    const scored = await inSample(sceneOf(target), attacks[0])
    expect(scored.predictions).toEqual(attacks[0].members.predictions)
  }
})

it('everybody has one prediction, of the model that did not see their fold', async () => {
  const found = await crossFitted(sceneOf('number'), { attacker: 'cart', hyper: memory }, 5)
  const { rows, predictions } = found?.everybody ?? { rows: new Int32Array(), predictions: null }
  expect(Array.from(rows)).toEqual(Array.from({ length: 200 }, (_, row) => row))
  if (predictions?.kind !== 'numbers') throw new Error('numbers are numbers')
  // A tree with a leaf for everybody repeats its own people and never the one left out, unless two have the same x.
  expect(predictions.truth.filter((y, row) => y === predictions.predicted[row]).length).toBeLessThan(30)
  expect(found?.byFold).toHaveLength(5)
  for (const { predictions: of } of found?.byFold ?? []) {
    if (of.kind !== 'numbers') throw new Error('numbers are numbers')
    expect(of.truth.filter((y, row) => y === of.predicted[row]).length).toBeGreaterThan(110)
  }
})

it('is made once for all releases of an original, and is the same again for the same seed', async () => {
  const pair = release({ original, released: [original, people('other', 180, 2)], keys: ['x'], target: 'class' })
  const attacker = { attacker: 'cart', hyper: {} }
  const scene = setScene({ release: pair, part: 0, target: 'class' }, options(), context)
  const ask = () => crossFitted(scene, attacker, 5)
  expect(await ask()).toBe(await ask())
  const [first, second] = (await rapid(pair, { attackers: ['cart'], permutations: 9 })).releases
  expect(first.controls?.fair?.value).toBe(second.controls?.fair?.value)
  const again = await crossFitted(sceneOf('class'), attacker, 5)
  expect(again?.everybody.predictions).toEqual((await ask())?.everybody.predictions)
})

it('trains on no more records than the attacker may', async () => {
  const few = options({ maxTrain: 10 })
  const limited = await crossFitted(sceneOf('class', few), { attacker: 'cart', hyper: memory }, 5)
  const all = await crossFitted(sceneOf('class'), { attacker: 'cart', hyper: memory }, 5)
  const rate = (scored: typeof limited) => (scored === null ? 1 : flagsOf(scored.everybody, options()).rate)
  expect(rate(limited)).toBeLessThan(rate(all))
})

it('honest releases raise no more alarms than chance, whatever the model happens to learn', async () => {
  const runs = 60
  let alarms = 0
  for (let seed = 0; seed < runs; seed++) {
    const pair = release({
      original: people('original', 250, 100 + seed),
      released: people('released', 250, 100 + seed),
      keys: ['x'],
      target: 'class',
    })
    const [{ effect }] = (await rapid(pair, { attackers: ['cart'], permutations: 0, bootstrap: 0 }, { seed })).releases
    if ((effect?.p ?? 1) < 0.05) alarms++
  }
  expect(alarms / runs).toBeLessThanOrEqual(0.1)
})

it('a p-value far out does not vanish', () => {
  expect(normalPValue(0.9, { mean: 0.5, sd: 0.02 }, 1000)).toBeGreaterThan(0)
  expect(normalPValue(0.9, { mean: 0.5, sd: 0.02 }, 1000)).toBeLessThan(1e-80)
})
