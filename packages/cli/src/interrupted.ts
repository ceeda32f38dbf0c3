/** Ctrl-C: what was finished is kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor(kept: string) {
    super(`interrupted; ${kept} are kept: the same command with --resume goes on`)
  }
}
