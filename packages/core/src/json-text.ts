import { UserError } from './errors.js'

/** What a JSON file says. One nested deeper than anybody writes is refused: whoever looks at it would run out of stack. */
export function jsonOf(name: string, text: string): unknown {
  if (isDeeper(text, MOST_DEPTH))
    throw new UserError(`${name} is nested more than ${MOST_DEPTH} deep; nothing that scrim reads is`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const MOST_DEPTH = 200

function isDeeper(text: string, most: number): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length && depth <= most; at++) {
    const mark = text[at]
    if (mark === '"') isText = !isText
    else if (isText) at += mark === '\\' ? 1 : 0
    else if (mark === '[' || mark === '{') depth++
    else if (mark === ']' || mark === '}') depth--
  }
  return depth > most
}
