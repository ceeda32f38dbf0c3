// docs/charts.html: the charts of all measures side by side, to be looked at as a whole.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** From the pages of the measures, which name their pictures. */
export function chartsPage(measures, folder) {
  const figures = measures.flatMap(({ id, title }) =>
    [...readFileSync(join(folder, `${id}.md`), 'utf8').matchAll(/\(img\/([^)]+)\)/g)].map(
      ([, file]) =>
        `<figure><img loading="lazy" src="measures/img/${file}" alt="${title}"><figcaption><a href="measures/${id}.md">${title}</a></figcaption></figure>`,
    ),
  )
  return `${HEAD}\n${figures.join('\n')}\n</main></body></html>\n`
}

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>All charts of scrim</title>
<style>body { margin: 1.5rem; font: 16px/1.5 system-ui, sans-serif; } main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1.5rem; align-items: start; }
figure { margin: 0; padding: .75rem; border: 1px solid #d5d9de; border-radius: .4rem; background: #ffffff; } img { max-width: 100%; } a { color: #565d66; }</style>
</head><body><h1>All charts of scrim</h1><p>On 1,000 simulated people; written by <code>npm run docs</code>.</p><main>`
