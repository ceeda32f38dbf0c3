import { type Chart, heatmapChart, intervalChart } from '@scrim/core'
import type { AttackRow, PlayedSetting, Who } from './play.js'

/** AUC of every attack on every generator as a square, and what shadow models see beyond one release. */
export function membershipCharts(settings: readonly PlayedSetting[]): Chart[] {
  const data = [...new Set(settings.map((one) => one.data))]
  return data.flatMap((name) => {
    const own = settings.filter((one) => one.data === name)
    return [
      ...heatmap(own, 'release', 'everybody', `release-game-${name}`, `One release, everybody: ${name}`),
      ...heatmap(
        own,
        'shadow',
        'most isolated',
        `isolated-${name}`,
        `With and without one of the most isolated: ${name}`,
      ),
      ...heatmap(own, 'shadow', 'random', `random-${name}`, `With and without somebody at random: ${name}`),
      ...differenceChart(own, name),
    ]
  })
}

function heatmap(
  settings: readonly PlayedSetting[],
  game: PlayedSetting['game'],
  who: Who,
  name: string,
  title: string,
): Chart[] {
  const cells = settings
    .filter((one) => one.game === game)
    .flatMap(({ generator, rows }) =>
      rows.filter((row) => row.who === who).map((row) => ({ x: generator, y: row.attack, ...cellOf(row) })),
    )
  return cells.length === 0 ? [] : [heatmapChart({ name, title: `${title} (AUC)`, x: '', y: '' }, cells)]
}

/** The darker the farther above a coin. */
function cellOf({ auc }: AttackRow): { readonly value: number; readonly text: string } {
  return { value: Math.max(0, auc - 0.5), text: auc.toFixed(2) }
}

function differenceChart(settings: readonly PlayedSetting[], data: string): Chart[] {
  const rows = settings.flatMap(({ generator, differences }) =>
    differences.map(({ who, fromValues }) => ({
      label: `${generator}, ${who === 'random' ? who : 'isolated'}`,
      ...fromValues,
    })),
  )
  const labels = {
    name: `differences-${data}`,
    title: `Best shadow attack less information and values: ${data}`,
    x: 'difference in AUC',
    y: '',
    red: 'above',
  }
  return rows.length === 0 ? [] : [intervalChart(labels, rows)]
}
