import type { Io } from '../io.js'

const [RED, YELLOW, GREEN, BOLD] = [31, 33, 32, 1]
const CODES: Readonly<Record<string, number>> = {
  HIGH: RED,
  MODERATE: YELLOW,
  INCONCLUSIVE: YELLOW,
  LOW: GREEN,
  'NOT ASSESSED': BOLD,
  RELEASE: GREEN,
  REVIEW: YELLOW,
  REFUSE: RED,
}
const VERDICT = new RegExp(`\\b(${Object.keys(CODES).join('|')})\\b`, 'g')

/** Verdicts in colour, on a terminal that has colours; laid out before, because colours have no width. */
export function withColor(text: string, { color }: Io): string {
  return color ? text.replaceAll(VERDICT, (level) => `\u001b[${CODES[level]}m${level}\u001b[0m`) : text
}
