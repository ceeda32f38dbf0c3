import type { Table } from '../table/table.js'

/**
 * A short name for what a table holds (FNV-1a over names and values), so that the random numbers of a candidate depend on it
 * alone, not on its place among others; two equal files draw the same numbers and tie in every draw.
 */
export function fingerprint({ columns, rows }: Table): string {
  let hash = 0x811c9dc5
  const add = (word: number) => {
    hash = Math.imul(hash ^ word, 0x01000193)
  }
  const addText = (text: string) => {
    for (let k = 0; k < text.length; k++) add(text.charCodeAt(k))
  }
  add(rows)
  for (const column of columns) {
    addText(column.name)
    if (column.kind === 'categorical') {
      for (const level of column.levels) addText(level)
      for (const code of column.codes) add(code)
    } else for (const word of new Uint32Array(column.values.slice().buffer)) add(word)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
