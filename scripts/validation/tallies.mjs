// How often answers to honest releases alarm: counts per cell of a study, what alarmed, and the bars.
import { isAlarm, LEVELS } from '@scrim/core'
import { mean, percent } from './shares.mjs'

const MOST_ALARMS = 0.05
/** A cell may have so many alarms more by chance as a test would have in one of 70 cells if its level were exactly 5 %. */
const BY_CHANCE = 0.015
/** From so many answers on there is no allowance for chance. */
const MANY = 1000
const LEAST_LOW = 0.9
const LEAST_AGREEING = 0.9
/** From here on a release of honest people should be LOW, not open. */
const ENOUGH_PEOPLE = 1000

/** The most alarms that n answers may have: 5 of 40. */
export function mostAlarms(n) {
  if (n >= MANY) return Math.floor(MOST_ALARMS * n)
  let probability = (1 - MOST_ALARMS) ** n
  let upTo = probability
  let alarms = 0
  while (1 - upTo > BY_CHANCE) {
    probability *= ((n - alarms) / (alarms + 1)) * (MOST_ALARMS / (1 - MOST_ALARMS))
    upTo += probability
    alarms++
  }
  return alarms
}

export const alarmsAmong = (lines) => lines.filter(({ level }) => isAlarm(level))
export const withLevel = (lines, ...levels) => lines.filter(({ level }) => levels.includes(level))

/** "LOW 38, MODERATE 2", in the order of the levels. */
export function levelsText(lines) {
  return [...LEVELS.toReversed(), 'ERROR']
    .map((level) => [level, withLevel(lines, level).length])
    .filter(([, count]) => count > 0)
    .map(([level, count]) => `${level} ${count}`)
    .join(', ')
}

/** Which threat, measure and look alarmed, and which threats stayed open, each with how often. */
export function causesText(lines) {
  const alarmed = lines.flatMap(({ threats }) =>
    threats
      .filter(({ level }) => isAlarm(level))
      .map(({ threat, level, decidedBy, look }) => `${level} ${threat} by ${decidedBy} (${look ?? 'no look'})`),
  )
  const open = lines.flatMap(({ threats }) =>
    threats.filter(({ level }) => level === 'INCONCLUSIVE').map(({ threat }) => `open ${threat}`),
  )
  const other = lines.flatMap(({ error, asked }) => [...(error ? [error] : []), ...(asked ? ['asked back'] : [])])
  return [alarmed, open, other].flatMap(counted).join('; ')
}

function counted(texts) {
  const counts = new Map()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([text, count]) => `${text} ${count}x`)
}

export function cellText({ name, lines }) {
  const causes = causesText(lines)
  const seconds = mean(lines.map((line) => line.seconds)).toFixed(1)
  return `${name}: ${levelsText(lines)}; ${seconds} s each${causes === '' ? '' : `\n    ${causes}`}`
}

/** The bars of honest releases; cells are `{ name, people, lines }`. */
export function honestBars(cells, { what = 'honest releases', lowExpected = true } = {}) {
  const all = cells.flatMap(({ lines }) => lines)
  const alarms = alarmsAmong(all).length
  const tooMany = cells.filter(({ lines }) => alarmsAmong(lines).length > mostAlarms(lines.length))
  const high = withLevel(all, 'HIGH').length
  const failed = withLevel(all, 'ERROR').length
  const large = cells.filter(({ people }) => people >= ENOUGH_PEOPLE).flatMap(({ lines }) => lines)
  const low = withLevel(large, 'LOW').length
  return [
    {
      kept: alarms <= mostAlarms(all.length),
      text: `${what}: ${alarms} alarms in ${all.length} (${percent(alarms / all.length, 1)}, at most 5 %)`,
    },
    {
      kept: tooMany.length === 0,
      text: `${what}: more than 5 % alarms, beyond chance, in ${tooMany.length} of ${cells.length} cells${listed(tooMany)}`,
    },
    { kept: high === 0, text: `${what}: HIGH ${high} times (never)` },
    { kept: failed === 0, text: `${what}: not answered ${failed} times (never)` },
    ...(lowExpected && large.length > 0
      ? [
          {
            kept: low >= LEAST_LOW * large.length,
            text: `${what} of 1,000 people and more: LOW ${low} of ${large.length} (${percent(low / large.length, 1)}, at least 90 %)`,
          },
        ]
      : []),
  ]
}

const listed = (cells) => (cells.length === 0 ? '' : `: ${cells.map(({ name }) => name).join('; ')}`)

/**
 * The same release with and without people outside: where both could compare, they should agree, and what alarms without them
 * must alarm with them. `pairs` are `[without, with]`.
 */
export function pairBars(pairs) {
  if (pairs.length === 0) return []
  const agree = pairs.filter(([without, outside]) => worstOfBoth(without, outside) === worstOfBoth(outside, without))
  const lost = pairs.filter(([without, outside]) => isAlarm(without.level) && !isAlarm(outside.level))
  return [
    {
      kept: agree.length >= LEAST_AGREEING * pairs.length,
      text: `with and without a holdout: ${agree.length} of ${pairs.length} agree in what both can tell (${percent(agree.length / pairs.length, 1)}, at least 90 %)`,
    },
    { kept: lost.length === 0, text: `alarms that a holdout takes away: ${lost.length} of ${pairs.length} (none)` },
  ]
}

/** The worst level of the threats that the other one assessed too. */
function worstOfBoth({ threats }, other) {
  const assessed = new Set(
    other.threats
      .filter(({ level }) => level !== 'NOT ASSESSED')
      .map(({ threat, target }) => JSON.stringify([threat, target])),
  )
  const levels = threats
    .filter(({ threat, target }) => assessed.has(JSON.stringify([threat, target])))
    .map(({ level }) => level)
  return LEVELS.find((level) => levels.includes(level)) ?? 'NOT ASSESSED'
}

/** Prints the bars; true if all are kept. */
export function printBars(bars) {
  for (const { kept, text } of bars) console.log(`${kept ? 'kept  ' : 'BROKEN'} ${text}`)
  return bars.every(({ kept }) => kept)
}
