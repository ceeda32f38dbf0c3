import type { Arguments } from './arguments.js'

/** The command as it can be pasted into a shell again. */
export function commandLine(command: string, { words }: Arguments): string {
  const quoted = words.map((word) => (/^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  return [`scrim ${command}`, ...quoted].join(' ')
}
