import { type Chart, countLetters, drawable, titledWithin } from '@scrim/core'

/**
 * A chart as SVG, as the command line draws it. Vega is loaded with the first; its expressions are interpreted, because the
 * policy of the page lets no text become a program.
 */
export async function drawn(spec: Chart['spec']): Promise<string> {
  const [vega, vegaLite, { expressionInterpreter }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ])
  countLetters(vega)
  const compiled = vegaLite.compile(
    drawable(titledWithin(spec)) as unknown as Parameters<typeof vegaLite.compile>[0],
  ).spec
  const runtime = vega.parse(compiled, undefined, { ast: true })
  const view = new vega.View(runtime, { renderer: 'none', logLevel: vega.Error, expr: expressionInterpreter })
  vega.resetSVGDefIds()
  const svg = await view.toSVG()
  view.finalize()
  return svg
}
