import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { numeric, stream, table, toCsv } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { CUT_OFF, hasBrowser, openBrowser, violationsOn } from '../../web/src/testing/browser.js'
import { workplace } from './testing/run.js'

/** The report as a person sees it, in a browser that is installed; without one these tests are skipped. */

/** Each page, with the fewest pictures it has. */
const PAGES = [
  ['publishable', 2],
  ['internal', 4],
  ['map', 6],
] as const

function people(seed: number) {
  const random = stream(seed, 'people')
  const age = Array.from({ length: 120 }, () => 20 + random.below(50))
  return toCsv(
    table('people', [
      numeric('age', age),
      numeric(
        'sex',
        age.map(() => random.below(2)),
      ),
      numeric(
        'income',
        age.map((years) => 100 * years + random.below(500)),
      ),
    ]),
  )
}

describe.skipIf(!hasBrowser)('the report in a browser', () => {
  it('asks for nothing, says nothing to the console, can be read by everybody and is cut off nowhere', async () => {
    const place = workplace({ 'o.csv': people(1), 'r.csv': people(1), 's.csv': people(2) })
    const flags = '--keys age,sex --target income --type synthetic'
    for (const command of [
      `assess o.csv r.csv s.csv ${flags} --profile quick --html publishable.html`,
      `assess o.csv r.csv s.csv ${flags} --measures attribution,memorisation --html internal.html --audience internal`,
      `compare o.csv r.csv s.csv ${flags} --draws 20 --html map.html --audience internal`,
    ]) {
      const { code, err } = await place.run(command)
      expect([code, err]).toEqual([0, ''])
    }
    const browser = await openBrowser()
    try {
      for (const [name, fewest] of PAGES)
        for (const width of [360, 1280]) {
          // The page forbids scripts; what looks at it from outside is let in.
          const page = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true })
          const said: string[] = []
          const asked: string[] = []
          page.on('console', (message) => said.push(message.text()))
          page.on('pageerror', (error) => said.push(error.message))
          page.on('request', (request) => asked.push(request.url()))
          const address = pathToFileURL(join(place.folder, `${name}.html`)).href
          await page.goto(address)
          expect(asked).toEqual([address])
          expect(await page.evaluate('document.documentElement.scrollWidth'), `${width} pixels`).toBeLessThanOrEqual(
            width,
          )
          expect(await page.locator('.picture svg').count()).toBeGreaterThanOrEqual(fewest)
          expect(await page.evaluate(CUT_OFF), `${name}, ${width} pixels`).toEqual([])
          expect(await violationsOn(page)).toEqual([])
          expect(said).toEqual([])
          if (width === 1280) expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
          await page.close()
        }
    } finally {
      await browser.close()
    }
  })
})
