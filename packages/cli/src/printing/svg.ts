import { type Chart, countLetters, drawable, titledWithin } from '@scrim/core'

/** Draws a chart. Vega is loaded on the first call, because loading it takes longer than most commands. */
export async function chartSvg(chart: Chart): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')])
  countLetters(vega)
  const { spec } = vegaLite.compile(
    drawable(titledWithin(chart.spec)) as unknown as Parameters<typeof vegaLite.compile>[0],
  )
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error })
  // Names of gradients count on from picture to picture; each picture starts anew, so that it is the same whenever it is drawn.
  vega.resetSVGDefIds()
  const svg = await view.toSVG()
  view.finalize()
  return `${svg}\n`
}
