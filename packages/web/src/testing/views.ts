import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** Pictures of the page as somebody found them good; `SCRIM_UPDATE=1` takes them anew. */
const FOLDER = join(import.meta.dirname, 'views')
/** Squares of so many pixels are compared by their mean, so that the edge of a letter counts for little. */
const SQUARE = 4
/** Of 255: what no other machine's way to smooth letters reaches in a whole square. */
const VISIBLE = 32
/** Share of squares that may differ: a line of text may have other words, a button may not be gone. */
export const MOST = 0.005

/** The font of all pictures: it comes with Debian's fontconfig. Others have other widths, which move everything. */
const FONT = 'DejaVu Sans'
export const ONE_FONT = `* { font-family: "${FONT}" !important; caret-color: transparent !important }`

/** Whether letters are drawn here as in the pictures: by how wide they are. */
export async function hasFont(browser: Browser): Promise<boolean> {
  const page = await browser.newPage()
  const width = Number(
    await page.evaluate(`(() => {
      const context = document.createElement('canvas').getContext('2d')
      context.font = '100px "${FONT}", monospace'
      return context.measureText('mmmmiiii').width
    })()`),
  )
  await page.close()
  return Math.abs(width - 500.8) < 1
}

/** How far what is on the screen is from its picture: the share of squares that differ; 0 where the picture is taken anew. */
export async function differenceFrom(name: string, page: Page, browser: Browser): Promise<number> {
  await page.mouse.move(0, 0)
  const now = await page.screenshot()
  const file = join(FOLDER, `${name}.png`)
  if (process.env.SCRIM_UPDATE !== undefined) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, now)
    return 0
  }
  if (!existsSync(file)) throw new Error(`there is no picture ${file}; SCRIM_UPDATE=1 takes it`)
  const difference = await compared(readFileSync(file), now, browser)
  if (difference > MOST) {
    const seen = join(mkdtempSync(join(tmpdir(), 'scrim-views-')), `${name}.png`)
    writeFileSync(seen, now)
    console.warn(`${name} looks otherwise than ${file}: see ${seen}`)
  }
  return difference
}

/** In a page of its own, which can read pictures. */
async function compared(a: Buffer, b: Buffer, browser: Browser): Promise<number> {
  const page = await browser.newPage()
  const [first, second] = [a, b].map((png) => `data:image/png;base64,${png.toString('base64')}`)
  const share = await page.evaluate(`(${COMPARE})("${first}", "${second}", ${SQUARE}, ${VISIBLE})`)
  await page.close()
  return Number(share)
}

/** Mean colours of all squares, and the share of squares in which they differ; pictures of other sizes differ everywhere. */
const COMPARE = `async (first, second, square, visible) => {
  const squares = async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const [across, down] = [Math.ceil(width / square), Math.ceil(height / square)]
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const sums = new Float64Array(3 * across * down)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 3; c++)
          sums[3 * (Math.floor(y / square) * across + Math.floor(x / square)) + c] += data[4 * (y * width + x) + c]
    return { width, height, sums }
  }
  const [a, b] = [await squares(first), await squares(second)]
  if (a.width !== b.width || a.height !== b.height) return 1
  let differ = 0
  for (let k = 0; k < a.sums.length; k += 3)
    if ([0, 1, 2].some((c) => Math.abs(a.sums[k + c] - b.sums[k + c]) > visible * square * square)) differ++
  return differ / (a.sums.length / 3)
}`
