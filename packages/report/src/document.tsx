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

/** A percent sign stays with its number. */
function unbroken(html: string): string {
  return html.replace(/(\d) %/g, '$1\u00a0%')
}
