/** Ctrl-C: what was finished is kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor(done: number, of: number) {
    super(`interrupted; ${done} of ${of} measures are kept: the same command with --resume goes on`)
  }
}
