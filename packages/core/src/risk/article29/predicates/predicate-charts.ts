import { barChart, type Chart, intervalChart } from '../../../chart/chart.js'
import type { Rate } from '../residual/attack.js'
import type { Attack } from '../singling-out.js'
import type { Mode } from './predicate-attack.js'

/** How often predicates single somebody out, what is left of that beside people outside, and how many records they hold for. */
export function predicateCharts(attacks: readonly Attack[], lead: Attack, name: string): readonly Chart[] {
  return [
    ratesChart(attacks, name),
    ...(lead.comparison === null ? [] : [residualChart(attacks, name)]),
    matchesChart(lead, name),
  ]
}

function ratesChart(attacks: readonly Attack[], name: string) {
  const label = (what: string, mode: Mode) => (attacks.length > 1 ? `${what}, ${mode}` : what)
  const bar = (what: string, mode: Mode, { rate: value, interval }: Rate) => ({
    label: label(what, mode),
    value,
    interval,
  })
  return barChart(
    { name: 'rates', title: `Predicates that single out one person: ${name}`, x: '', y: 'share of predicates' },
    attacks.flatMap(({ mode, main, naive, control }) => [
      bar('in the release', mode, main),
      ...(control === null ? [] : [{ ...bar('outside it', mode, control), series: 'original' as const }]),
      { ...bar('naive', mode, naive), series: 'original' as const },
    ]),
  )
}

function residualChart(attacks: readonly Attack[], name: string) {
  return intervalChart(
    { name: 'residual', title: `Residual risk of singling out: ${name}`, x: 'residual risk', y: '' },
    attacks.flatMap(({ mode, comparison }) =>
      comparison === null || comparison.residual === null
        ? []
        : [
            {
              label: mode,
              value: comparison.residual,
              lower: comparison.interval?.lower ?? null,
              upper: comparison.interval?.upper ?? null,
            },
          ],
    ),
  )
}

function matchesChart({ mode, matches }: Attack, name: string) {
  const label = (records: number) => (records === matches.length - 1 ? `${records}+` : String(records))
  return barChart(
    {
      name: 'matches',
      red: 'one person',
      title: `Records that a ${mode} predicate holds for: ${name}`,
      grey: 'people outside the release',
      blue: 'people in the original',
      x: 'records',
      y: 'predicates',
    },
    matches.flatMap(({ records, original, holdout }) => [
      { label: label(records), value: original, alarm: records === 1 },
      ...(holdout === null ? [] : [{ label: label(records), value: holdout, series: 'original' as const }]),
    ]),
  )
}
