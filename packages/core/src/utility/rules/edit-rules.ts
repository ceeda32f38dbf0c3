import { dumbbellChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { count, percent } from '../../print.js'
import { newcombe } from '../../stats/intervals.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { total } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { fisherMidP } from '../../stats/tests/two-shares.js'
import { FALSE, UNKNOWN } from '../../table/condition.js'
import type { EditRule } from '../../table/edit-rules.js'
import { columnOf, type Table } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { besideOriginal, share } from './broken-shares.js'

/**
 * How many released records are impossible by the rules that the user gave (`table/edit-rules.ts`), beside how many originals
 * are? The headline is the share of released records that break at least one rule; for each rule the two shares, the interval of
 * their difference (Newcombe 1998) and the mid-p value of Fisher's test, adjusted over the rules (Holm 1979). A record that
 * lacks what a rule asks about does not break it.
 *
 * Real data break rules too: an honest sample breaks them as often as the original, so that is what counts, not zero. Blind to
 * everything that no rule is about: a file that keeps all rules may still be useless.
 */
type RuleCount = {
  readonly broken: number
  /** Records for which it cannot be said, because something is missing. */
  readonly unknown: number
  /** Records about which an implication speaks; all of them for other rules. */
  readonly applies: number
  readonly share: number
}

export const editRules = utilityMeasure({
  id: 'edit-rules',
  title: 'Edit rules',
  summary: 'share of released records that break a rule, beside that of the original',
  orientation: 'distance',
  nothing: 'independent',
  needs: ['rules'],
  unit: 'share',
  blindTo: 'everything that no rule is about',
  options: plainOptions,
  statistic: ({ released, release }) => share(breaksOf(release.rules, released).any),
  compute,
  records: {
    brokenRules: { riskier: null, meaning: '1: the original record breaks an edit rule' },
  },
  sentence: ({ details: { broken, records, originalBroken, originalRecords, rules } }) =>
    `${count(broken, 'released record')} (${percent(broken / records)}) ${broken === 1 ? 'breaks' : 'break'} at least one of ${count(rules.length, 'rule')}; ${count(originalBroken, 'original')} (${percent(originalBroken / originalRecords)}) ${originalBroken === 1 ? 'does' : 'do'}`,
  tables: ({ details: { rules } }) => [
    findingTable('rules', 'By rule, among the records that it applies to', rules, [
      [column.text('rule'), ({ rule }) => rule],
      [column.count('original'), ({ original }) => original.broken],
      [column.share('original share'), ({ original }) => original.share],
      [column.count('release'), ({ release }) => release.broken],
      [column.share('release share'), ({ release }) => release.share],
      [column.p('p'), ({ p }) => p],
      [column.p('p of all rules'), ({ adjustedP }) => adjustedP],
    ]),
  ],
  charts: ({ details }, { name }) => [
    dumbbellChart(
      {
        name: 'broken-rules',
        title: `Records that break a rule: ${name}`,
        x: 'share of records (*: more often than in the original, beyond chance)',
        y: '',
      },
      details.rules.slice(0, MOST_SHOWN).map(({ rule, original, release, adjustedP }) => ({
        label: adjustedP < SIGNIFICANCE && release.share > original.share ? `${rule} *` : rule,
        original: original.share,
        release: release.share,
      })),
    ),
  ],
})

const MOST_SHOWN = 15

function compute({ original, released, release }: Pair) {
  const x = breaksOf(release.rules, original)
  const y = breaksOf(release.rules, released)
  const pValues = x.rules.map((own, k) => fisherMidP(y.rules[k].broken, released.rows, own.broken, original.rows))
  const adjusted = holm(pValues)
  const rules = release.rules.map(({ name }, k) => ({
    rule: name,
    original: x.rules[k],
    release: y.rules[k],
    /** Of the share in the release less that in the original. */
    difference: newcombe(y.rules[k].broken, released.rows, x.rules[k].broken, original.rows),
    p: pValues[k],
    /** Over all rules. */
    adjustedP: adjusted[k],
  }))
  const [broken, originalBroken] = [total(y.any), total(x.any)]
  const perRecord = ({ rules: all }: Breaks, records: number) =>
    all.reduce((sum, rule) => sum + rule.broken, 0) / records
  return {
    ...besideOriginal({ broken, records: released.rows }, { broken: originalBroken, records: original.rows }, 'rule'),
    details: {
      broken,
      records: released.rows,
      originalBroken,
      originalRecords: original.rows,
      /** Mean number of rules that a record breaks. */
      rulesPerRecord: { original: perRecord(x, original.rows), release: perRecord(y, released.rows) },
      /** Most often broken first. */
      rules: rules.sort((a, b) => b.release.broken - a.release.broken),
    },
    records: () => ({ brokenRules: Float64Array.from(x.any) }),
  }
}

interface Breaks {
  readonly any: Uint8Array
  readonly rules: readonly RuleCount[]
}

function breaksOf(rules: readonly EditRule[], data: Table): Breaks {
  const any = new Uint8Array(data.rows)
  const columns = (name: string) => columnOf(data, name)
  const counts = rules.map(({ condition }) => {
    const truth = condition.truth(columns, data.rows)
    let broken = 0
    let unknown = 0
    for (let row = 0; row < data.rows; row++) {
      if (truth[row] === UNKNOWN) unknown++
      if (truth[row] !== FALSE) continue
      broken++
      any[row] = 1
    }
    const applies = condition.applies === null ? data.rows : total(condition.applies(columns, data.rows))
    return { broken, unknown, applies, share: broken / data.rows }
  })
  return { any, rules: counts }
}
