import type { Chart } from '../../chart/chart.js'
import type { MarginalRisk } from '../../output/risk/marginal.js'
import type { OutputRisk } from '../../output/risk/risk.js'
import { riskEvidence } from '../../output/verdict/risk-evidence.js'
import { grouped, percent } from '../../print.js'
import type { RiskView } from './outputs-view.js'

/** The measured risk as a report shows it. */
export function outputRiskView(risk: OutputRisk, pictures: readonly Chart[]): RiskView {
  const { targets, outputs, contributions, cumulativeExcess, games, options, knowledge, runs } = risk
  const printed = outputs.reduce((sum, { elements }) => sum + elements.length, 0)
  const share =
    printed === 0 ? 1 : outputs.reduce((sum, { fidelity, elements }) => sum + fidelity * elements.length, 0) / printed
  return {
    sentence: riskEvidence(risk).sentence,
    facts: [
      ['made from', `the outputs and ${KNOWLEDGE[knowledge]}, ${runs.length} times (${options.engine})`],
      ['printed numbers reproduced', `${percent(share)} of ${printed}`],
      ...targets.flatMap(({ target, success, verdict, embedded, knowledge: before, agreed }): Fact[] => [
        [`${target}: marginal risk`, `${marginText(success)}; ${verdict}`],
        [
          `${target}: guessed right`,
          `${percent(embedded.success)} of people, ${percent(before.success)} with public knowledge alone`,
        ],
        [
          `${target}: the same in all embedded sets`,
          `${percent(agreed.share)} of people, right for ${percent(agreed.right)}`,
        ],
      ]),
      ...contributions.map(({ output, alone, without }): Fact => {
        const others = without === null ? '' : `; the others without it ${marginText(without)}`
        return [`${output}: its part`, `alone ${marginText(alone)}${others}`]
      }),
      ...(cumulativeExcess === null
        ? []
        : [['all together beyond the worst alone', percent(cumulativeExcess)] satisfies Fact]),
      ...games.map(
        ({ target, determined, excluded, records }): Fact => [
          `${target}: to someone who knows everything else`,
          `its value is fixed for ${percent(determined)} of ${grouped(records)} records, and some value excluded for ${percent(excluded)}: whoever knows less learns less`,
        ],
      ),
    ],
    pictures,
  }
}

type Fact = RiskView['facts'][number]

const KNOWLEDGE = {
  none: 'nothing else',
  marginals: 'the distribution of each variable',
  tables: 'tables that are public',
}

function marginText({ value, interval, reason }: MarginalRisk): string {
  if (value === null) return reason ?? 'not known'
  return interval === null
    ? percent(value, 2)
    : `${percent(value, 2)} (${percent(interval.lower, 2)} to ${percent(interval.upper, 2)})`
}
