import type { Json } from '../json.js'
import type { Chart } from './parts.js'

/** Widths of letters as parts of their size, in the wide sans serif of many systems: nobody's are much wider. */
const NARROW = new Map([
  ...[..."'ijl|"].map((letter) => [letter, 0.3] as const),
  ...[...' .,:;!()[]frtI/-'].map((letter) => [letter, 0.4] as const),
])
const WIDE = new Map([...'mwMW%@'].map((letter) => [letter, 0.95] as const))
const [USUAL, CAPITAL, BOLD] = [0.62, 0.7, 1.12]
const USUAL_SIZE = 11

interface Written {
  readonly text?: unknown
  readonly fontSize?: number
  readonly fontWeight?: string | number
  readonly limit?: number
}

/** How wide a text is, in parts of the size of its letters. */
export function lettersWidth(text: string): number {
  let width = 0
  for (const letter of text)
    width += NARROW.get(letter) ?? WIDE.get(letter) ?? (letter === letter.toLowerCase() ? USUAL : CAPITAL)
  return width
}

/** Sizes of the letters of titles and subtitles; those of titles are bold. */
const [TITLE, SUBTITLE] = [13 * BOLD, 11]
/** As wide as the widest frames with their labels: a longer title would shrink the picture on paper. */
const LONGEST_TITLE = 560

/** The chart with its title and subtitle broken into lines of so many pixels; the same where they fit. */
export function titledWithin(spec: Chart['spec'], room = LONGEST_TITLE): Chart['spec'] {
  const { title = [] } = spec
  const whole = typeof title === 'object' && title !== null && 'text' in title ? title : { text: title }
  const texts = (one: Json | undefined) => [one ?? []].flat().map(String)
  const [text, subtitle] = [texts(whole.text), texts('subtitle' in whole ? whole.subtitle : [])]
  const broken = { text: lines(text, room / TITLE), subtitle: lines(subtitle, room / SUBTITLE) }
  if (broken.text.length === text.length && broken.subtitle.length === subtitle.length) return spec
  return { ...spec, title: { ...whole, ...broken } }
}

/** `most` in parts of the size of the letters. */
function lines(texts: readonly string[], most: number): string[] {
  return texts.flatMap((text) => {
    const broken: string[] = []
    for (const word of text.split(' ')) {
      const longer = `${broken.at(-1) ?? ''} ${word}`
      if (broken.length > 0 && lettersWidth(longer) <= most) broken[broken.length - 1] = longer
      else broken.push(word)
    }
    return broken
  })
}

interface TextMetrics {
  width: (item: Written, text?: unknown) => number
}

/**
 * Lets Vega count letters by what they are, so that frames stand where names end: where nothing is drawn on a screen it takes all
 * for wide ones, and leaves a third of the room beside names empty. Called before anything is drawn.
 */
export function countLetters(vega: object): void {
  const metrics: TextMetrics = Reflect.get(vega, 'textMetrics')
  metrics.width = ({ text: own, fontSize = USUAL_SIZE, fontWeight, limit = 0 }, text = own) => {
    const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600
    const width = lettersWidth(String(text ?? '').trim()) * fontSize * (isBold ? BOLD : 1)
    // What is longer is cut there.
    return limit > 0 ? Math.min(width, limit) : width
  }
}
