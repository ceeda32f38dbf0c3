// Scores that one release allows in place of bits in common, tried where shadow models saw more: docs/study-membership.md has what came of each.
// node scripts/validation/membership-scores.mjs [--write]: a minute of processor time. The demo, and the public files that are here.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { groupRows } from '@scrim/kernels'
import {
  auc,
  findSynthesizer,
  inline,
  mostIsolated,
  permutation,
  selectRows,
  stackColumns,
  stream,
  synthesizeSets,
  table,
} from '../../packages/core/dist/index.js'
import { valueLikelihoods } from '../../packages/core/dist/risk/membership/scores/value-likelihood.js'
import { bitSpace } from '../../packages/core/dist/risk/shared-information/bits.js'
import { membershipScores } from '../../packages/core/dist/risk/shared-information/membership-score.js'
import { ATTACKED, demoPeople, PUBLIC_DATA } from '../../packages/studies/dist/index.js'
import { withBlock } from '../build/marked-block.mjs'
import { read, referenceFolder } from '../peers/peer.mjs'

const { values } = parseArgs({ options: { write: { type: 'boolean' } } })
const [PEOPLE, ASKED, RELEASES, SEED] = [200, 3, 30, 1]
/** Parametric takes minutes on Adult, and of the private ones nothing is seen. */
const GENERATORS = ATTACKED.filter(({ epsilon, method }) => epsilon === null && method !== 'parametric')
const FILES = {
  adult: 'data/adult/adults_train.csv',
  census2k: 'data/census2k/census2k-trn.csv',
  sd2011: 'data/sd2011/sd2011.csv',
}

/** Scores of the people in some rows of `real`, by a release. All are functions of the released records and of the other real ones. */
async function scoresOf(real, released, rows) {
  const space = bitSpace(
    [real, released, selectRows(real, [])],
    real.columns.map(({ name }) => name),
  )
  const where = { tasks: inline }
  const information = await membershipScores(space, rows, where)
  const categories = { ...space, columns: space.columns.map((column) => ({ ...column, numbers: null })) }
  const ofValues = valueLikelihoods(space, rows)
  const sets = setScores(space, rows)
  return {
    'S: shared information': information,
    'S with b = 0.4: more weight on many weak agreements': await membershipScores(space, rows, where, 0.4),
    'S with b = 1.5: nearly the best record alone': await membershipScores(space, rows, where, 1.5),
    'S with numbers as categories: equal or nothing': await membershipScores(categories, rows, where),
    'rarest agreement: most bits of a column that a released record shares': sets.rarest[1],
    'rarest agreement over columns and pairs': sets.rarest[2],
    'largest log (c_S + ½) / (c_R + ½) over columns': sets.ratio[1],
    'largest log (c_S + ½) / (c_R + ½) over columns and pairs': sets.ratio[2],
    'shared values: mean share c_S / (c_S + c_R + 1) over columns and pairs': sets.share,
    'V: likelihood ratio of columns': ofValues,
    'the same of pairs': sets.pairs,
    'S + V': information.map((bits, k) => bits + ofValues[k]),
    'S + V / 2: information and values': information.map((bits, k) => bits + ofValues[k] / 2),
  }
}

/** What sets of one and two columns say: of the records that agree with a person in all of them, c_S released ones and c_R other real ones. */
function setScores({ columns, ids }, rows) {
  const [originals, released] = ids
  const records = originals.length + released.length
  const coded = columns.map(({ codes, cardinality }) => ({
    cardinality,
    codes: Int32Array.from(
      { length: records },
      (_, k) => codes[k < originals.length ? originals[k] : released[k - originals.length]],
    ),
  }))
  const none = () => new Float64Array(rows.length)
  const least = () => none().fill(Number.NEGATIVE_INFINITY)
  const found = { share: none(), pairs: none(), rarest: [null, none(), none()], ratio: [null, least(), least()] }
  const sets = coded.flatMap((column, j) => [[column], ...coded.slice(0, j).map((other) => [other, column])])
  for (const set of sets) {
    const { ids: groups, count } = groupRows(set, records)
    const [inReal, inReleased] = [new Int32Array(count), new Int32Array(count)]
    for (let k = 0; k < records; k++) (k < originals.length ? inReal : inReleased)[groups[k]]++
    for (let k = 0; k < rows.length; k++) {
      const [made, others] = [inReleased[groups[rows[k]]], inReal[groups[rows[k]]] - 1]
      found.share[k] += made / (made + others + 1) / sets.length
      if (set.length === 2) found.pairs[k] += made * Math.log2(1 + 1 / (others + 0.1))
      const bits = made === 0 ? 0 : -Math.log2((made + others) / (records - 1))
      for (let size = set.length; size <= 2; size++) {
        found.rarest[size][k] = Math.max(found.rarest[size][k], bits)
        found.ratio[size][k] = Math.max(found.ratio[size][k], Math.log((made + 0.5) / (others + 0.5)))
      }
    }
  }
  return found
}

/** AUC of each score of each person, between releases with and without them. */
async function played(data, people, generator) {
  const known = selectRows(
    people,
    permutation(stream(SEED, `membership/${data}/people`, 0), people.rows).subarray(0, PEOPLE),
  )
  const isolated = await mostIsolated(known, ASKED, { tasks: inline })
  const random = permutation(stream(SEED, `membership/${data}/random people`), PEOPLE).filter(
    (row) => !isolated.includes(row),
  )
  const rows = Int32Array.of(...isolated, ...random.subarray(0, ASKED))
  const scoresIn = async (records, asked, world) => {
    const seed = stream(SEED, `scores/${data}/${generator.name}`, world).uint32()
    const options = { sets: RELEASES, rows: PEOPLE, seed, options: generator.options, tasks: inline }
    const { sets } = await synthesizeSets(findSynthesizer(generator.method), selectRows(known, records), options)
    return Promise.all(sets.map((set) => scoresOf(known, set, asked)))
  }
  const everybody = Array.from({ length: PEOPLE }, (_, row) => row)
  const inside = await scoresIn(everybody, rows, 0)
  const found = []
  for (const [k, row] of rows.entries()) {
    const outside = await scoresIn(
      everybody.filter((other) => other !== row),
      Int32Array.of(row),
      k + 1,
    )
    for (const score of Object.keys(inside[0])) {
      const area = auc(
        Float64Array.from(inside, (scores) => scores[score][k]),
        Float64Array.from(outside, (scores) => scores[score][0]),
      )
      found.push({ score, generator: generator.name, who: k < ASKED ? 'isolated' : 'random', area: area?.auc ?? 0.5 })
    }
  }
  return found
}

const all = []
const { original, holdout } = demoPeople(1000, SEED)
const data = {
  demo: table(
    'demo',
    original.columns.map((column, j) => stackColumns([column, holdout.columns[j]])),
  ),
}
for (const [name, file] of Object.entries(FILES)) {
  const path = join(referenceFolder(), file)
  if (!existsSync(path)) continue
  const everything = await read(path)
  data[name] = table(
    name,
    everything.columns.filter((column) => PUBLIC_DATA[name](column.name)),
  )
}
for (const [name, people] of Object.entries(data))
  for (const generator of GENERATORS) all.push(...(await played(name, people, generator)))

const SHOWN = ['bootstrap with noise', 'CART, leaves of 5', 'Bayesian network', 'independent']
const mean = (rows) => (rows.reduce((sum, { area }) => sum + area, 0) / rows.length).toFixed(2)
const header = ['score', 'isolated', 'random', ...SHOWN.map((name) => `isolated, ${name}`)]
const rows = [...new Set(all.map(({ score }) => score))].map((score) => {
  const own = all.filter((row) => row.score === score)
  const isolated = own.filter(({ who }) => who === 'isolated')
  const random = own.filter(({ who }) => who === 'random')
  return [
    score,
    mean(isolated),
    mean(random),
    ...SHOWN.map((name) => mean(isolated.filter(({ generator }) => generator === name))),
  ]
})
const text = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
console.log(text)
if (values.write) {
  const page = join(import.meta.dirname, '../../docs/study-membership.md')
  writeFileSync(page, withBlock(readFileSync(page, 'utf8'), 'tried', text))
}
