import { type Chart, type ComparisonView, type DocumentView, htmlText, type OutputsView } from '@scrim/core'
import type { VNode } from 'preact'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { ComparisonReport } from './comparison.js'
import { OutputsReport } from './outputs.js'
import { Report } from './report.js'
import { STYLE } from './style.js'

/** The drawing of a chart as SVG, made before, or what shows it when it is drawn. */
export type PictureOf = (chart: Chart) => string | VNode

/** In the place of a picture that cannot be drawn: the answer does not wait for it. */
export const NOT_DRAWN = '<p>This picture could not be drawn.</p>'

/** Every picture of the document, in its order. */
export function documentCharts({ releases }: DocumentView): readonly (readonly Chart[])[] {
  return releases.map(({ overview, threats, utilityPictures }) => [
    ...(overview === null ? [] : [overview]),
    ...threats.flatMap(({ pictures }) => pictures),
    ...utilityPictures.flatMap(({ charts }) => charts),
  ])
}

/** The assessment of one or several releases of an original. */
export function documentHtml(view: DocumentView, pictureOf: PictureOf): string {
  return pageHtml(view.title, <Report view={view} pictureOf={pictureOf} />)
}

/** Several candidates on one map. */
export function comparisonHtml(view: ComparisonView, pictureOf: PictureOf): string {
  return pageHtml(view.title, <ComparisonReport view={view} pictureOf={pictureOf} />)
}

/** A request of outputs, for the person who decides. */
export function outputsHtml(view: OutputsView, pictureOf: PictureOf): string {
  return pageHtml(view.title, <OutputsReport view={view} pictureOf={pictureOf} />)
}

/** One file that needs no script and no network, and says so to the browser. */
function pageHtml(title: string, body: VNode): string {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>{body}</body>
    </html>
  )
  return `<!doctype html>\n${htmlText(unbroken(renderToStaticMarkup(page)))}\n`
}

/** Signs stay with their numbers. */
export function unbroken(text: string): string {
  return text
    .replace(/(\d) %/g, '$1\u00a0%')
    .replace(/(\d) (GB|MB|kB|min|s)\b/g, '$1\u00a0$2')
    .replace(/\bp (<|&lt;|=) (?=\d)/g, 'p\u00a0$1\u00a0')
}
