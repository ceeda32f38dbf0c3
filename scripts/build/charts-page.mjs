// docs/charts.html: the charts of all measures side by side, to be looked at as a whole.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** From the pages of the measures, which name their pictures. */
export function chartsPage(measures, folder) {
  const sections = measures.flatMap(({ id, title }) => {
    const files = [...readFileSync(join(folder, `${id}.md`), 'utf8').matchAll(/\(img\/([^)]+)\)/g)].map(
      ([, file]) => file,
    )
    const images = files.map((file) => `<img loading="lazy" src="measures/img/${file}" alt="${title}">`)
    return images.length === 0
      ? []
      : [`<section><h2><a href="measures/${id}.md">${title}</a></h2><div>${images.join('')}</div></section>`]
  })
  return `${HEAD}\n${sections.join('\n')}\n</main></body></html>\n`
}

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>All charts of scrim</title>
<style>:root { color-scheme: light dark; } body { margin: 1.5rem; font: 16px/1.5 system-ui, sans-serif; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } a { color: inherit; }
div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; } img { max-width: 100%; padding: .75rem; border: 1px solid #d5d9de; border-radius: .4rem; background: #ffffff; }</style>
</head><body><h1>All charts of scrim</h1><p>On 1,000 simulated people; written by <code>npm run docs</code>.</p><main>`
