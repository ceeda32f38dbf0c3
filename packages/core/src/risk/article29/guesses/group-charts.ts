import { barChart, type Chart, intervalChart } from '../../../chart/chart.js'
import type { ChartSubject } from '../../../measure.js'
import type { Details } from '../inference.js'
import { attackChart } from '../residual/attack.js'
import type { CellGroup, SecretGroup } from './secret-groups.js'

/** The attack on all people, on those with each secret, in each cell of the keys, and all secrets beside each other. */
export function inferenceCharts(
  details: Details,
  name: string,
  targets: ChartSubject<Details>['targets'],
): readonly Chart[] {
  const { secret, groups, cells } = details
  const byCell = { name: 'cells', title: `Inference of ${secret} by cell of the keys: ${name}`, label: 'cell' }
  return [
    attackChart(details, `Inference of ${secret}: ${name}`),
    groupChart(
      { name: 'groups', title: `By value of ${secret}: ${name}`, label: secret },
      groups.map(bySecretLabel),
      details,
    ),
    ...(cells === null ? [] : [groupChart(byCell, cells.map(byCellLabel), details)]),
    ...secretsChart(targets),
  ]
}

type LabelledGroup = Omit<SecretGroup, 'secret'> & { readonly label: string }

export const bySecretLabel = ({ secret, ...group }: SecretGroup): LabelledGroup => ({ label: secret, ...group })
export const byCellLabel = ({ cell, ...group }: CellGroup): LabelledGroup => ({ label: cell, ...group })

function groupChart(
  { name, title, label }: { readonly name: string; readonly title: string; readonly label: string },
  groups: readonly LabelledGroup[],
  { control }: Details,
) {
  if (control === null)
    return barChart(
      { name, title, x: label, y: 'guessed right' },
      groups.map((group) => ({ label: group.label, value: group.rate })),
    )
  return intervalChart(
    { name, title, x: 'residual risk', y: label },
    groups.flatMap((group) =>
      group.residual === null
        ? []
        : [{ label: group.label, value: group.residual, lower: group.lower, upper: group.upper }],
    ),
  )
}

/** With several secrets: all of them in one picture. */
function secretsChart(findings: ChartSubject<Details>['targets']) {
  const estimates = findings.flatMap(({ details }) => {
    const residual = details?.residual
    if (details === null || !residual) return []
    const { value, interval } = residual
    return [{ label: details.secret, value, lower: interval?.lower ?? null, upper: interval?.upper ?? null }]
  })
  if (findings.length < 2 || estimates.length === 0) return []
  return [
    intervalChart(
      { name: 'secrets', title: `Inference of each secret: ${findings[0].name}`, x: 'residual risk', y: 'secret' },
      estimates,
    ),
  ]
}
