import { groupRows } from '@scrim/kernels'
import { stream } from '../../random/stream.js'
import { standardDeviation } from '../../stats/sums.js'
import type { Task } from '../../tasks/task.js'
import { type CodedVariable, type Codes, selectRecords } from '../embedding/records/coded-records.js'
import { attackKeys, type KeyScore, type Matching, matchColumns } from './attribution.js'

/** What is attacked: a target, through these sets of keys. */
export interface Scenario {
  readonly target: number
  readonly keys: readonly number[]
  readonly sets: readonly (readonly number[])[]
}

export interface ScoringShared {
  readonly variables: readonly CodedVariable[]
  /** The real records; those of a holdout come after them. */
  readonly real: Codes
  readonly matching: Matching
  readonly scenarios: readonly Scenario[]
  readonly tau: number
  readonly seed: number
}

export interface ScoringItem {
  readonly embedded: Codes
  readonly members: Int32Array
  /** Nobody where there is no comparison. */
  readonly outsiders: Int32Array
}

export interface SideScores {
  /** One per set of keys. */
  readonly scores: readonly KeyScore[]
  /** By record of the side, over the sets of keys. */
  readonly guessed: Uint16Array
  readonly right: Uint16Array
}

export interface ScenarioScores {
  readonly members: SideScores
  readonly outsiders: SideScores
  /** Standard error of the difference in success by a bootstrap over classes of equal keys; null without people outside. */
  readonly clusterError: number | null
}

/** One embedded set against the people behind it and people outside, through every set of keys. */
export const scoreTask: Task<ScoringShared, ScoringItem, readonly ScenarioScores[]> = {
  name: 'output/score',
  run({ variables, real, matching, scenarios, tau, seed }, { embedded, members, outsiders }) {
    const columnsOf = (codes: Codes) => matchColumns(codes, variables, matching)
    const side = (rows: Int32Array) => columnsOf(selectRecords({ variables, codes: real, rows: 0 }, rows).codes)
    const known = columnsOf(embedded)
    const [inside, outside] = [side(members), side(outsiders)]
    return scenarios.map((scenario) => {
      const [m, o] = [inside, outside].map((columns) => sideScores(known, columns, matching, scenario, tau))
      const clusterError =
        outsiders.length === 0 ? null : clusterSpread(inside, outside, m, o, matching, scenario, seed)
      return { members: m, outsiders: o, clusterError }
    })
  },
}

function sideScores(
  embedded: readonly Int32Array[],
  real: readonly Int32Array[],
  matching: Matching,
  { target, sets }: Scenario,
  tau: number,
): SideScores {
  const records = real[target].length
  const guessed = new Uint16Array(records)
  const right = new Uint16Array(records)
  const scores = sets.map((keys) => {
    const { score, guesses } = attackKeys(embedded, real, matching, keys, target, tau)
    for (let row = 0; row < records; row++) {
      if (guesses[row] < 0) continue
      guessed[row]++
      if (guesses[row] === real[target][row]) right[row]++
    }
    return score
  })
  return { scores, guessed, right }
}

const BOOTSTRAPS = 200

/** People with the same keys are guessed alike: classes of them are drawn anew, not people. */
function clusterSpread(
  inside: readonly Int32Array[],
  outside: readonly Int32Array[],
  members: SideScores,
  outsiders: SideScores,
  { bins }: Matching,
  { keys, target, sets }: Scenario,
  seed: number,
): number | null {
  const [m, o] = [inside[target].length, outside[target].length]
  const columns = keys.map((j) => {
    const codes = new Int32Array(m + o)
    codes.set(inside[j])
    codes.set(outside[j], m)
    return { codes, cardinality: bins[j] }
  })
  const { ids, count } = groupRows(columns, m + o)
  const byClass = (from: number, { right }: SideScores) => {
    const [guessed, people] = [new Float64Array(count), new Float64Array(count)]
    for (let row = 0; row < right.length; row++) {
      people[ids[from + row]]++
      guessed[ids[from + row]] += right[row] / sets.length
    }
    return { guessed, people }
  }
  const [within, without] = [byClass(0, members), byClass(m, outsiders)]
  const random = stream(seed, 'output/clusters')
  const differences = new Float64Array(BOOTSTRAPS)
  for (let b = 0; b < BOOTSTRAPS; b++) {
    let [right, all, rightOutside, allOutside] = [0, 0, 0, 0]
    for (let draw = 0; draw < count; draw++) {
      const id = random.below(count)
      right += within.guessed[id]
      all += within.people[id]
      rightOutside += without.guessed[id]
      allOutside += without.people[id]
    }
    differences[b] = right / Math.max(1, all) - rightOutside / Math.max(1, allOutside)
  }
  return standardDeviation(differences)
}

export interface ConsensusShared extends ScoringShared {
  /** Embedded sets of the same outputs. */
  readonly embedded: readonly Codes[]
}

export interface Consensus {
  /** One per embedded set. */
  readonly scores: readonly KeyScore[]
  /** Real records of which all sets say the same, and of which that is right. */
  readonly agreed: number
  readonly agreedRight: number
  readonly records: number
}

/** What all embedded sets of the same outputs say through one set of keys: that much is in the outputs, whatever else is open. */
export const consensusTask: Task<ConsensusShared, { scenario: number; set: number }, Consensus> = {
  name: 'output/consensus',
  run({ variables, real, matching, scenarios, tau, embedded }, { scenario, set }) {
    const { target, sets } = scenarios[scenario]
    const people = matchColumns(real, variables, matching)
    const records = people[target].length
    const common = new Int32Array(records)
    const scores = embedded.map((codes, k) => {
      const known = matchColumns(codes, variables, matching)
      const { score, guesses } = attackKeys(known, people, matching, sets[set], target, tau)
      for (let row = 0; row < records; row++)
        if (k === 0) common[row] = guesses[row]
        else if (common[row] !== guesses[row]) common[row] = -1
      return score
    })
    let agreed = 0
    let agreedRight = 0
    for (let row = 0; row < records; row++) {
      if (common[row] < 0) continue
      agreed++
      if (common[row] === people[target][row]) agreedRight++
    }
    return { scores, agreed, agreedRight, records }
  },
}
