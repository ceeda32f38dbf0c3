import { parseRequest } from '../../output/exchange/request.js'
import { checkRequest } from '../../output/verdict/check.js'
import type { OutputCheck } from '../../output/verdict/check-schema.js'
import { stream } from '../../random/stream.js'
import { type Table, tableOf } from '../../table/table.js'

const random = stream(1, 'people')
const draw = (levels: readonly string[]) => levels[Math.floor(random.uniform() * levels.length)]

/** 600 people; one of them is 97 years old and lives in the north. */
export const sexes = Array.from({ length: 600 }, () => draw(['f', 'm']))
export const regions = Array.from({ length: 600 }, (_, k) => (k === 0 ? 'north' : draw(['north', 'south', 'west'])))
export const ages = Array.from({ length: 600 }, (_, k) => (k === 0 ? 97 : 20 + Math.floor(random.uniform() * 60)))
export const incomes = ages.map((age) => 1000 + 20 * age + Math.floor(random.uniform() * 500))
const works = ages.map((age) => (random.uniform() < (age < 65 ? 0.8 : 0.2) ? 'yes' : 'no'))
const people = tableOf('people.csv', { sex: sexes, region: regions, age: ages, income: incomes, work: works })

/** What the rules say about these outputs. */
export function check(
  outputs: readonly object[],
  options: Parameters<typeof checkRequest>[2] = {},
  data: Table = people,
): OutputCheck {
  return checkRequest(parseRequest('request.json', { outputs }), data, options).check
}

export const rulesOf = ({ outputs }: OutputCheck) => outputs.flatMap(({ findings }) => findings.map(({ rule }) => rule))

export const bySex = { id: 'sex', kind: 'table', by: ['sex', 'region'] }
