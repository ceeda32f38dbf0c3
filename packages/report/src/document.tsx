import type { Chart, DocumentView } from '@scrim/core'
import { renderToStaticMarkup } from 'preact-render-to-string'
import { Report } from './report.js'
import { STYLE } from './style.js'

/** The drawing of a chart as SVG, made before. */
export type PictureOf = (chart: Chart) => string

/** One file that needs no script and no network, and says so to the browser. */
export function documentHtml(view: DocumentView, pictureOf: PictureOf): string {
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
        <title>{view.title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <Report view={view} pictureOf={pictureOf} />
      </body>
    </html>
  )
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`
}
