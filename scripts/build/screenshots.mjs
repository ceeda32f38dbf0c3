// Takes the pictures of the page for the README and docs/page.md, from the page as it was built, with its sample.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSamplePage } from './sample-page.mjs'

const out = join(dirname(fileURLToPath(import.meta.url)), '../../docs/img')
mkdirSync(out, { recursive: true })
const { page, settled, walk, close } = await openSamplePage({ width: 1120, height: 780 })
const take = async (name) => {
  await settled()
  await page.screenshot({ path: join(out, `page-${name}.png`) })
  console.log(`page-${name}.png`)
}
try {
  await walk(async (step) => {
    if (step === 'data' || step === 'roles') await take(step)
  })
  await page
    .getByRole('button', { name: /by-trees/ })
    .first()
    .click()
  await take('read')
  await page.setViewportSize({ width: 390, height: 780 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await take('phone')
} finally {
  await close()
}
