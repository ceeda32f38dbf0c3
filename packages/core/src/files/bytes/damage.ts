/** What is wrong with the bytes of a file, in words for its owner. */
export class Damaged extends Error {}

/** What a reader of a binary format stumbled over. Its own words about its own code would help nobody. */
export function damage(error: unknown): string {
  if (error instanceof Damaged) return error.message
  const text = error instanceof Error ? error.message : String(error)
  const isPlain = /^(parquet|arrow) (file|footer|metadata|unsupported)[a-z0-9 !=,'()>-]*$/i.test(text)
  return isPlain ? text : 'the file is damaged, or of a kind that scrim does not know'
}
