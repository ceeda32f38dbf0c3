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
