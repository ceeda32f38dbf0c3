import type { Setup } from '../embedding/setup.js'
import type { PlannedScenario } from './scenario.js'
import type { SideScores } from './scoring.js'
import type { ScoredSplit } from './target-risk.js'

/**
 * Who is found out: of the people with a level of a variable, in what share of attacks (sets of keys, splits) they were guessed and
 * guessed right, as members and as people outside. Levels of fewer than ten people are taken together.
 */
export type PersonGroup = {
  readonly variable: string
  readonly level: string
  readonly people: number
  readonly guessed: number
  readonly right: number
  readonly guessedOutside: number
  readonly rightOutside: number
  /** Right as member less right as outsider. */
  readonly difference: number
}

const FEWEST_PEOPLE = 10
const MOST_LEVELS = 30
const OTHERS = 'others'

export function personGroups(
  { whole, rows }: Setup,
  splits: readonly ScoredSplit[],
  at: number,
  { sets }: PlannedScenario,
): PersonGroup[] {
  if (splits.length === 0) return []
  const width = whole.variables.length
  const total = whole.rows
  // Attacks on each person, guesses and right ones, as member and then as outsider.
  const tallies = Array.from({ length: 6 }, () => new Float64Array(total))
  const tally = (people: Int32Array, { guessed, right }: SideScores, first: number) => {
    for (let k = 0; k < people.length; k++) {
      tallies[first][people[k]] += sets.length
      tallies[first + 1][people[k]] += guessed[k]
      tallies[first + 2][people[k]] += right[k]
    }
  }
  for (const { members, outsiders, scores } of splits) {
    tally(members, scores[at].members, 0)
    tally(outsiders, scores[at].outsiders, 3)
  }
  return whole.variables.flatMap((variable, j) => {
    if (variable.labels.length > MOST_LEVELS) return []
    const people = new Int32Array(variable.labels.length)
    for (let row = 0; row < rows; row++) people[whole.codes[row * width + j]]++
    const groupOf = Int32Array.from(people, (count, code) => (count < FEWEST_PEOPLE ? people.length : code))
    const sums = Array.from({ length: people.length + 1 }, () => new Float64Array(6))
    const counts = new Int32Array(people.length + 1)
    for (let row = 0; row < total; row++) {
      const group = groupOf[whole.codes[row * width + j]]
      if (row < rows) counts[group]++
      for (let k = 0; k < 6; k++) sums[group][k] += tallies[k][row]
    }
    return sums.flatMap((sum, group) => {
      if (counts[group] < FEWEST_PEOPLE) return []
      const share = (k: number, attacks: number) => (sum[attacks] > 0 ? sum[k] / sum[attacks] : 0)
      return [
        {
          variable: variable.name,
          level: group === people.length ? OTHERS : variable.labels[group],
          people: counts[group],
          guessed: share(1, 0),
          right: share(2, 0),
          guessedOutside: share(4, 3),
          rightOutside: share(5, 3),
          difference: share(2, 0) - share(5, 3),
        },
      ]
    })
  })
}
