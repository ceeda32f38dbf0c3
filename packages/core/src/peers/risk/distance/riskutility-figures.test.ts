import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { reference, referenceTable } from '../../../testing/reference.js'
import { domias } from '../membership/domias.js'
import { nnaa } from '../membership/nnaa.js'
import { dcr } from './dcr.js'
import { drisk } from './drisk.js'
import { hittingRate } from './hitting-rate.js'
import { identicalMatches } from './identical-matches.js'
import { nndr } from './nndr.js'

/** What riskutility 0.2.0 prints for 350 training, 150 holdout and 500 released records of its vignette, to seven digits. */
const NUMBERS = ['age', 'income']
const CATEGORIES = ['sex', 'education', 'region', 'age']

const printed = {
  synthetic: {
    dcr: {
      vim: [0.7452789, 0.652, 0.02497307, 0.03350835, 0.01983093, 0.02881555],
      euclidean: [0.6607166, 0.682, 0.01812965, 0.02743938, 0.01534305, 0.02125854],
    },
    nndr: {
      vim: [1.367184, 0.6640019, 0.5896569, 0.7225878, 0.6003119, 0.206469, 0.1510177, 0.2919225, 0.2235017, 7],
      euclidean: [0.7284878, 0.6415476, 0.6577277, 0.6895304, 0.7080349, 0.087969, 0.1207556, 0.212939, 0.2429895, 27],
    },
    nnaa: {
      vim: [0.3457143, 0.574, 0.2466667, 0.702, 0.01447619],
      euclidean: [0.3942857, 0.584, 0.22, 0.778, 0.009857143],
    },
    domias: [0.5007333, 1.02134, 1.045843, 0.9765714],
    ims: { all: [0, 0], categories: [82, 69] },
    hitting: [0, 0.156, 0.444, 0.856, 0.99, 0.998, 1, 1],
    drisk: { narrow: 0.005714286, wide: 0.9228571 },
    pass: { dcr: false, nndr: true, nnaa: 'PASS', domias: 'PASS', ims: false, hitting: false },
  },
  'near-copy': {
    dcr: {
      vim: [0.3380391, 0.694, 0.008548131, 0.0252874, 0.003215364, 0.01966339],
      euclidean: [0.5505369, 0.696, 0.01141475, 0.02073386, 0.01189465, 0.01503137],
    },
    nndr: {
      vim: [
        0.6889786, 0.2958425, 0.4635611, 0.1828646, 0.4726475, 0.005689806, 0.00825832, 0.01151616, 0.03043684, 172,
      ],
      euclidean: [
        0.8085919, 0.5310521, 0.5752586, 0.5462411, 0.612805, 0.03131899, 0.03873275, 0.05616951, 0.09194727, 73,
      ],
    },
    nnaa: {
      vim: [0.005714286, 0.208, 0.006666667, 0.594, 0.1934762],
      euclidean: [0.1857143, 0.4, 0.08, 0.682, 0.08814286],
    },
    domias: [0.5187619, 1.087595, 1.091982, 0.995983],
    ims: { all: [0, 0], categories: [187, 173] },
    hitting: [0, 0.768, 0.856, 0.978, 0.998, 0.998, 1, 1],
    drisk: { narrow: 0.01142857, wide: 1 },
    pass: { dcr: false, nndr: false, nnaa: 'FAIL', domias: 'PASS', ims: false, hitting: false },
  },
}

describe.skipIf(reference() === undefined).each(['synthetic', 'near-copy'] as const)(
  'riskutility on %s',
  async (name) => {
    if (reference() === undefined) return
    const file = (of: string) => referenceTable(`golden/vignette/${of}.csv`)
    const [original, holdout, released] = await Promise.all([file('train'), file('holdout'), file(name)])
    const all = release({ original, holdout, released })
    const pair = release({ original, released })
    const expected = printed[name]

    it.each(['vim', 'euclidean'] as const)('dcr, %s', async (distance) => {
      const { details } = (await dcr(all, { distance })).releases[0]
      if (details === null || details.definition !== undefined) fail()
      const { riskutility: theirs, toTraining, toHoldout } = details
      expectClose(
        [theirs.ratio, theirs.share, toTraining.mean, toHoldout.mean, toTraining.median, toHoldout.median],
        expected.dcr[distance],
      )
      expect(theirs.pass).toBe(expected.pass.dcr)
    })

    it.each(['vim', 'euclidean'] as const)('nndr, %s', async (distance) => {
      const { details } = (await nndr(all, { distance, permutations: 99 })).releases[0]
      const { ratio, training, holdout: outside, suspicious, pass } = (details ?? fail()).riskutility
      const [t, h] = [training, outside]
      expectClose(
        [ratio, t.mean, h.mean, t.median, h.median, t.p5, h.p5, t.p10, h.p10, suspicious],
        expected.nndr[distance],
      )
      expect(pass).toBe(distance === 'vim' && expected.pass.nndr)
    })

    it('nnaa', async () => {
      const figures = ({ training, holdout: outside, loss }: Accuracies) => [
        training.left,
        training.right,
        outside.left,
        outside.right,
        loss,
      ]
      const { details } = (await nnaa(all, { permutations: 99 })).releases[0]
      const theirs = details?.riskutility ?? fail()
      expectClose(figures(theirs), expected.nnaa.vim)
      expect(theirs.verdict).toBe(expected.pass.nnaa)
      const { details: ofNumbers } = (await nnaa(all, { permutations: 99, distance: 'euclidean' })).releases[0]
      expectClose(figures((ofNumbers ?? fail()).unequalSizes), expected.nnaa.euclidean)
    })

    it('domias', async () => {
      const { details } = (await domias(all)).releases[0]
      const { auc, training, others, ratio, verdict } = details?.riskutility ?? fail()
      expectClose([auc, training, others, ratio], expected.domias)
      expect(verdict).toBe(expected.pass.domias)
    })

    it('ims', async () => {
      const counts = async (variables: string[] | null) => {
        const { details } = (await identicalMatches(pair, { variables })).releases[0]
        return details ?? fail()
      }
      const [whole, coarse] = [await counts(null), await counts(CATEGORIES)]
      expect([whole.identical.count, whole.copied.records.count]).toEqual(expected.ims.all)
      expect([coarse.identical.count, coarse.copied.records.count]).toEqual(expected.ims.categories)
      expect([whole.riskutility.imsPass, coarse.riskutility.imsPass]).toEqual([true, expected.pass.ims])
    })

    it('hitting rate', async () => {
      const { details } = (await hittingRate(pair, { distance: 'vim' })).releases[0]
      const { rates, pass } = (details ?? fail()).riskutility
      expectClose(
        rates.map((one) => one.released),
        expected.hitting,
      )
      expect(pass).toBe(expected.pass.hitting)
    })

    it('dRisk by intervals', async () => {
      const within = async (outlierPar: number) => {
        const { details } = (await drisk(pair, { variables: NUMBERS, outlierPar })).releases[0]
        return details === null || details.definition !== undefined ? fail() : details
      }
      const [narrow, wide] = [await within(0.01), await within(1)]
      expectClose(narrow.widths, [0.03378744, 33.31835])
      expectClose([narrow.box.original, wide.box.original], [expected.drisk.narrow, expected.drisk.wide])
    })
  },
)

interface Accuracies {
  readonly training: { readonly left: number; readonly right: number }
  readonly holdout: { readonly left: number; readonly right: number }
  readonly loss: number
}

function fail(): never {
  throw new Error('no details')
}

function expectClose(found: readonly (number | null)[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length)
  for (const [k, value] of expected.entries())
    expect(found[k], `figure ${k}`).toBeCloseTo(value, value === 0 ? 12 : 6 - Math.floor(Math.log10(Math.abs(value))))
}
