import type { Json } from './json.js'

/**
 * Names, levels and texts come from files, and anything may stand in them. One function for each medium makes them fit to be
 * shown there, so that they are read and never obeyed: a terminal takes no command from them, a browser and a Markdown reader no
 * tag, and every XML file stays well-formed. HTML is escaped by Preact, which leaves control characters: `htmlText` does not.
 */

/**
 * Control characters but tab and line feed, halves of surrogate pairs, characters that are none, and those that turn the
 * direction of writing for what follows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu
const REPLACEMENT = '\ufffd'

/** Lines of text for a terminal. */
export function terminalText(text: string): string {
  return text.replace(OBEYED, REPLACEMENT)
}

/** A name or a sentence in one line, however it is written: nothing in it passes for a line of its own. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\u0085\u2028\u2029]*[\n\r\u0085\u2028\u2029][\s\u0085\u2028\u2029]*/g, ' ')
}

/** A page whose tags are escaped already. */
export function htmlText(page: string): string {
  return page.replace(OBEYED, REPLACEMENT)
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
])

/** Text for an element or an attribute of XML. */
export function xmlText(text: string): string {
  return text.replace(OBEYED, REPLACEMENT).replace(/[&<>"'\t\n]/g, (character) => ENTITIES.get(character) ?? '')
}

/** What Markdown, or those who show it, would read as more than a character; a `_` inside a word is only that. */
const MARKUP = /[&<>\\|`*~[\]#@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
/** Addresses become links by themselves. */
const ADDRESS = /:(?=\/\/)|(?<=www)\./gi
/** Text inside a paragraph, a heading, an item or a cell of Markdown. */
export function markdownText(text: string): string {
  const entity = (characters: string) => [...characters].map((one) => `&#${one.codePointAt(0)};`).join('')
  return text
    .replace(OBEYED, REPLACEMENT)
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(MARKUP, entity)
    .replace(ADDRESS, entity)
}

/** Invisible, and enough that Vega does not take a text for something that every object of JavaScript has. */
const UNLIKE_A_MEMBER = '\u2060'

/**
 * The specification of a chart that can be drawn as well-formed SVG whatever stands in its texts. Vega keeps values as names of
 * members, where `constructor` and the like are taken.
 */
export function drawable<Spec extends Json>(spec: Spec): Spec
export function drawable(spec: Json): Json {
  if (typeof spec === 'string') {
    const text = spec.replace(OBEYED, REPLACEMENT)
    return text in Object.prototype ? text + UNLIKE_A_MEMBER : text
  }
  if (Array.isArray(spec)) return spec.map((one) => drawable(one))
  if (typeof spec !== 'object' || spec === null) return spec
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, drawable(value as Json)]))
}
