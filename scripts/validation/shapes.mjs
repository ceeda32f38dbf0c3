// Populations of many shapes, for the studies of honest releases (honest.mjs) and the short version of them in the tests.
// Original, release and holdout of a study are independent samples of one population, which the seed chooses: nothing in the
// release is due to the people in the original.
import {
  categorical,
  drawBinomial,
  drawDirichlet,
  drawExponential,
  drawGamma,
  drawNormal,
  drawPoisson,
  normalCdf,
  numeric,
  stream,
  table,
} from '@scrim/core'

/**
 * Each shape: how many people the original has, its roles, and a population. `population(random)` chooses the population's own
 * numbers and gives back a function that draws one record, or the records of one household.
 */
export const SHAPES = {
  coarse: {
    about: 'five columns of three levels',
    people: 5000,
    roles: { keys: ['area', 'age', 'work'], target: 'health' },
    population: (random) => latentClasses(random, ['area', 'age', 'work', 'income', 'health'], 3, 3, 2),
  },
  latent: {
    about: 'latent classes, six columns of four levels',
    people: 1000,
    roles: { keys: ['region', 'housing', 'work'], target: 'health' },
    population: (random) =>
      latentClasses(random, ['region', 'housing', 'work', 'education', 'leisure', 'health'], 4, 4, 0.7),
  },
  mixed: {
    about: 'three factors behind four categories and six numbers',
    people: 1000,
    roles: { keys: ['class', 'region', 'tenure'], target: 'satisfied' },
    population: mixed,
  },
  wide: {
    about: 'seven yes or no, eight numbers',
    people: 500,
    roles: { keys: ['smokes', 'married', 'urban', 'employed'], target: 'ill' },
    population: wide,
  },
  heavy: {
    about: 'eight numbers with heavy tails',
    people: 1000,
    roles: { keys: ['employees', 'years'], target: 'turnover' },
    population: heavyTails,
  },
  small: {
    about: 'two categories, two numbers',
    people: 300,
    roles: { keys: ['sex', 'region'], target: 'income' },
    population: small,
  },
  repetition: {
    about: 'few profiles that repeat, the commonest most',
    people: 1500,
    roles: { keys: ['sex', 'age', 'region'], target: 'benefit' },
    population: fewProfiles,
  },
  unique: {
    about: 'a number that nobody shares',
    people: 1000,
    roles: { keys: ['sex', 'region', 'age'], target: 'ill' },
    population: withUniqueNumber,
  },
  levels: {
    about: 'a column of 300 levels',
    people: 1000,
    roles: { keys: ['zip', 'sex', 'age'], target: 'tenure' },
    population: manyLevels,
  },
  time: {
    about: 'ordered by date, values drift',
    people: 1000,
    roles: { keys: ['sex', 'ward', 'age'], target: 'outcome' },
    population: timeOrdered,
    arrange: (records) => records.sort((a, b) => a.admitted - b.admitted),
  },
  households: {
    about: 'people in households that share columns',
    people: 1000,
    roles: { keys: ['region', 'size', 'age', 'sex'], target: 'work', household: 'household' },
    population: households,
  },
  amounts: {
    about: 'amounts of which most are zero',
    people: 1500,
    roles: { keys: ['sex', 'age', 'occupation'], target: 'benefits' },
    population: zeroInflated,
  },
  heaped: {
    about: 'incomes and hours rounded by those who were asked',
    people: 1000,
    roles: { keys: ['sex', 'age', 'region'], target: 'income' },
    population: heapedIncomes,
  },
  scales: {
    about: 'answers on scales, some missing',
    people: 1200,
    roles: { keys: ['sex', 'age', 'education'], target: 'trust_press' },
    population: scalesWithGaps,
  },
}

/** People of the population of this shape and seed; samples of other names are independent of it. */
export function sample(shape, name, seed, rows) {
  const { population, arrange = (records) => records } = SHAPES[shape]
  const draw = population(stream(seed, `population ${shape}`))
  const random = stream(seed, `sample ${shape} ${name}`)
  const records = []
  for (let unit = 1; records.length < rows; unit++) {
    const drawn = draw(random, unit)
    records.push(...(Array.isArray(drawn) ? drawn : [drawn]))
  }
  return asTable(name, arrange(records.slice(0, rows)))
}

/** Texts become categories, dates dates, numbers numbers; null is missing. */
function asTable(name, records) {
  return table(
    name,
    Object.keys(records[0]).map((column) => {
      const values = records.map((record) => record[column])
      const known = values.find((value) => value !== null)
      if (typeof known === 'string') return categorical(column, values)
      if (known instanceof Date) return dates(column, values)
      return numeric(column, values)
    }),
  )
}

const DAY = 86_400_000
const dates = (name, values) => ({
  kind: 'date',
  name,
  unit: 'day',
  values: Float64Array.from(values, (value) => Math.floor(value / DAY)),
})

/** Categories that go together because all depend on one class that nobody observes. */
function latentClasses(random, columns, levels, classes, concentration) {
  const shares = drawDirichlet(random, Array(classes).fill(3))
  const levelShares = columns.map(() =>
    Array.from({ length: classes }, () => drawDirichlet(random, Array(levels).fill(concentration))),
  )
  return (person) => {
    const hidden = pick(person, shares)
    return Object.fromEntries(columns.map((column, j) => [column, `${column}${pick(person, levelShares[j][hidden])}`]))
  }
}

function mixed(random) {
  const load = () => [0, 1, 2].map(() => drawNormal(random, 0, 0.7))
  const weights = Array.from({ length: 10 }, load)
  return (person) => {
    const factors = [0, 1, 2].map(() => drawNormal(person))
    const scores = weights.map((w) => w[0] * factors[0] + w[1] * factors[1] + w[2] * factors[2] + drawNormal(person))
    return {
      class: graded(scores[0], ['low', 'middle', 'high']),
      region: graded(scores[1], ['north', 'east', 'south', 'west', 'centre']),
      tenure: graded(scores[2], ['own', 'rent', 'social', 'other']),
      satisfied: graded(scores[3], ['no', 'partly', 'yes']),
      income: Math.round(30_000 * Math.exp(scores[4] / 2)),
      rent: Math.round(800 * Math.exp(scores[5] / 3)),
      hours: Math.max(0, Math.round(36 + 6 * scores[6])),
      height: round(172 + 6 * scores[7], 1),
      pressure: Math.round(125 + 9 * scores[8]),
      score: round(scores[9], 3),
    }
  }
}

function wide(random) {
  const yes = ['smokes', 'married', 'urban', 'employed', 'insured', 'sport', 'ill']
  const numbers = ['age', 'weight', 'height', 'pulse', 'systolic', 'diastolic', 'glucose', 'cholesterol']
  const weights = [...yes, ...numbers].map(() => drawNormal(random, 0, 0.6))
  return (person) => {
    const factor = drawNormal(person)
    const score = (k) => weights[k] * factor + drawNormal(person)
    return {
      ...Object.fromEntries(yes.map((column, k) => [column, score(k) > 0 ? 'yes' : 'no'])),
      ...Object.fromEntries(numbers.map((column, k) => [column, round(100 + 15 * score(yes.length + k), k % 2)])),
    }
  }
}

function heavyTails(random) {
  const tail = () => 1.2 + random.uniform()
  const tails = Array.from({ length: 8 }, tail)
  return (firm) => {
    const size = drawNormal(firm)
    const pareto = (k, smallest) => smallest * Math.exp(0.5 * size) * firm.openUniform() ** (-1 / tails[k])
    return {
      employees: Math.round(pareto(0, 2)),
      years: Math.round(drawExponential(firm, 1 / 12)),
      turnover: Math.round(pareto(1, 90_000)),
      wages: Math.round(pareto(2, 40_000)),
      assets: Math.round(pareto(3, 20_000)),
      debt: Math.round(pareto(4, 5_000)),
      exports: round(pareto(5, 3), 2),
      profit: Math.round(10_000 * drawNormal(firm) * pareto(6, 1)),
    }
  }
}

function small(random) {
  const regions = drawDirichlet(random, [4, 3, 2, 1])
  return (person) => {
    const sex = pickName(person, ['f', 'm'])
    const age = 18 + person.below(70)
    return {
      sex,
      region: 'NESW'[pick(person, regions)],
      age,
      income: Math.round(20_000 * Math.exp(age / 100 + (sex === 'm' ? 0.2 : 0) + 0.4 * drawNormal(person))),
    }
  }
}

/** 150 profiles; the k-th is 1/k as common as the first. */
function fewProfiles(random) {
  const profiles = Array.from({ length: 150 }, () => ({
    sex: pickName(random, ['f', 'm']),
    age: pickName(random, ['0-17', '18-39', '40-64', '65+']),
    region: pickName(random, ['north', 'east', 'south', 'west']),
    children: random.below(4),
    rooms: 1 + random.below(6),
    benefit: pickName(random, ['none', 'child', 'housing', 'pension']),
  }))
  const weights = profiles.map((_, k) => 1 / (k + 1))
  return (person) => ({ ...profiles[pick(person, weights)] })
}

function withUniqueNumber(random) {
  const illness = 0.1 + 0.2 * random.uniform()
  return (person) => {
    const age = 5 * Math.floor(18 * person.uniform() ** 1.2)
    return {
      number: 1_000_000 + person.below(9_000_000),
      sex: pickName(person, ['f', 'm']),
      region: pickName(person, ['north', 'east', 'south', 'west', 'centre']),
      age,
      income: Math.round(25_000 * Math.exp(0.5 * drawNormal(person))),
      ill: person.uniform() < illness + age / 200 ? 'yes' : 'no',
    }
  }
}

function manyLevels(random) {
  const weights = Array.from({ length: 300 }, (_, k) => 1 / (k + 5))
  const wealth = weights.map(() => drawNormal(random))
  return (person) => {
    const zip = pick(person, weights)
    const score = wealth[zip] + drawNormal(person)
    return {
      zip: `Z${1000 + 7 * zip}`,
      sex: pickName(person, ['f', 'm']),
      age: graded(drawNormal(person), ['-29', '30-44', '45-59', '60-74', '75-']),
      income: Math.round(28_000 * Math.exp(score / 3)),
      rooms: Math.max(1, Math.round(3 + score / 2 + drawNormal(person))),
      tenure: graded(score, ['social', 'rent', 'own']),
    }
  }
}

function timeOrdered(random) {
  const drift = 0.5 + random.uniform()
  const start = Date.UTC(2020, 0, 1)
  return (person) => {
    const passed = person.uniform()
    const age = Math.min(99, Math.round(45 + 20 * drawNormal(person) + 5 * drift * passed))
    return {
      admitted: new Date(start + Math.floor(1000 * passed) * DAY),
      sex: pickName(person, ['f', 'm']),
      ward: pickName(person, ['surgery', 'medicine', 'trauma', 'intensive care']),
      age: Math.max(0, age),
      days: drawPoisson(person, 3 + 4 * drift * passed),
      cost: Math.round(2000 * Math.exp(0.6 * drawNormal(person) + drift * passed)),
      outcome: person.uniform() < 0.7 + 0.2 * passed ? 'home' : 'transfer',
    }
  }
}

/** Region, size and tenure are the household's; ages and work go together within it. */
function households(random) {
  const sizes = drawDirichlet(random, [35, 33, 14, 12, 6])
  return (draw, unit) => {
    const size = 1 + pick(draw, sizes)
    const shared = {
      household: unit,
      region: pickName(draw, ['north', 'east', 'south', 'west', 'centre', 'islands']),
      size: String(size),
      tenure: pickName(draw, ['own', 'rent', 'rent', 'social']),
      rooms: Math.max(1, size + drawBinomial(draw, 3, 0.5) - 1),
    }
    const parents = 25 + draw.below(50)
    return Array.from({ length: size }, (_, member) => {
      const age = member < 2 ? parents + draw.below(5) : Math.max(0, parents - 25 - draw.below(12))
      return {
        ...shared,
        age: `${10 * Math.floor(age / 10)}s`,
        sex: member === 1 && draw.uniform() < 0.9 ? 'm' : pickName(draw, ['f', 'm']),
        work: age < 16 ? 'school' : age > 66 ? 'retired' : pickName(draw, ['full time', 'part time', 'none']),
        income: age < 16 ? 0 : Math.round(100 * Math.exp(5.4 + 0.6 * drawNormal(draw))),
      }
    })
  }
}

function zeroInflated(random) {
  const [gains, losses, benefits] = [0.08, 0.05, 0.25].map((share) => share * (0.7 + 0.6 * random.uniform()))
  const amount = (person, share, middle) =>
    person.uniform() < share ? Math.round(middle * Math.exp(drawNormal(person))) : 0
  return (person) => {
    const occupation = pickName(person, ['craft', 'office', 'care', 'sales', 'farm', 'none'])
    return {
      sex: pickName(person, ['f', 'm']),
      age: 16 + person.below(70),
      occupation,
      wage: occupation === 'none' ? 0 : Math.round(drawGamma(person, 3, 9000)),
      gains: amount(person, gains, 6000),
      losses: amount(person, losses, 1800),
      benefits: amount(person, occupation === 'none' ? 0.7 : benefits, 4000),
      children: drawPoisson(person, 0.6),
    }
  }
}

/** Half of the people say their income to 10,000 or 5,000, most others to 1,000, and hours of 40 are the commonest. */
function heapedIncomes(random) {
  const exact = 0.1 + 0.1 * random.uniform()
  return (person) => {
    const age = 18 + person.below(60)
    const education = pickName(person, ['primary', 'secondary', 'secondary', 'tertiary'])
    const income =
      24_000 * Math.exp(age / 120 + { primary: 0, secondary: 0.2, tertiary: 0.6 }[education] + 0.5 * drawNormal(person))
    const step = [1, 10_000, 5_000, 1_000][pick(person, [exact, 0.25, 0.25, 0.5 - exact])]
    return {
      sex: pickName(person, ['f', 'm']),
      age,
      region: pickName(person, ['north', 'east', 'south', 'west']),
      education,
      hours: person.uniform() < 0.5 ? 40 : 5 * drawBinomial(person, 12, 0.55),
      income: step * Math.round(income / step),
    }
  }
}

/** Eight items by one attitude, half as words and half as numbers; a tenth of the people stop half way. */
function scalesWithGaps(random) {
  const words = ['never', 'rarely', 'sometimes', 'often', 'always']
  const items = ['votes', 'reads', 'meets', 'gives', 'trust_law', 'trust_police', 'trust_science', 'trust_press']
  const weights = items.map(() => 0.4 + random.uniform())
  return (person) => {
    const attitude = drawNormal(person)
    const stopsAt = person.uniform() < 0.1 ? 4 : items.length
    const answers = items.map((item, k) => {
      const score = weights[k] * attitude + drawNormal(person)
      const isMissing = k >= stopsAt || person.uniform() < 0.04
      return [item, isMissing ? null : k < 4 ? graded(score, words) : Math.round(5 + 2 * clamp(score, -2.5, 2.5))]
    })
    return {
      sex: pickName(person, ['f', 'm']),
      age: `${20 + 10 * person.below(6)}s`,
      education: pickName(person, ['low', 'middle', 'high']),
      ...Object.fromEntries(answers),
    }
  }
}

/** The place of one of these weights, drawn in proportion to them. */
function pick(random, weights) {
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0)
  const place = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  return place < 0 ? weights.length - 1 : place
}

const pickName = (random, names) => names[random.below(names.length)]
const clamp = (value, low, high) => Math.min(high, Math.max(low, value))
const round = (value, digits) => Number(value.toFixed(digits))

/** A score that is about normal with a spread of 1.3, cut into levels that are about equally common. */
function graded(score, levels) {
  return levels[clamp(Math.floor(levels.length * normalCdf(score / 1.3)), 0, levels.length - 1)]
}
