/** A command as it can be pasted into a shell. */
export function shellText(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
