import { UserError, unknownName } from '@scrim/core'
import { type Command, flagsOf } from '../../command.js'
import { COMMANDS } from '../../commands.js'
import { EXIT } from '../../exit.js'
import type { Io } from '../../io.js'
import type { Arguments, Flags } from '../../options/arguments.js'
import { measureIds } from '../../options/measures.js'

const SHELLS = { bash, zsh, fish }

export const completionCommand: Command = {
  usage: 'bash|zsh|fish',
  actions: Object.keys(SHELLS),
  flags: {},
  writes: false,
  notes: [
    'Commands, what they do, their flags, values of flags and the names of measures are completed, and files elsewhere. Print it again after an update.',
    'bash and zsh: source <(scrim completion bash) in ~/.bashrc, or zsh in ~/.zshrc after compinit. fish: scrim completion fish > ~/.config/fish/completions/scrim.fish.',
  ],
  examples: ['scrim completion bash', 'scrim completion zsh', 'scrim completion fish'],
  run,
}

async function run({ positionals: [shell, ...rest] }: Arguments, io: Io): Promise<number> {
  if (shell === undefined || rest.length > 0) throw new UserError(`usage: scrim completion ${completionCommand.usage}`)
  if (!isShell(shell)) throw new UserError(unknownName('shell', shell, Object.keys(SHELLS)))
  const known: Known[] = []
  for (const { name, aliases = [], summary, load } of COMMANDS) {
    const command = await load()
    known.push({
      names: [name, ...aliases],
      summary,
      actions: command.actions ?? [],
      flags: Object.entries(flagsOf(command)).map(([flag, { short, help, ...rest }]) => ({
        names: [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])],
        help,
        takes: takenBy(rest),
      })),
    })
  }
  known.push({
    names: ['help'],
    summary: 'Shows the options of a command or of a measure.',
    actions: [...known.map(({ names: [name] }) => name), ...measureIds],
    flags: [],
  })
  io.data(SHELLS[shell](known))
  return EXIT.ok
}

function isShell(name: string): name is keyof typeof SHELLS {
  return Object.hasOwn(SHELLS, name)
}

/** A command with what may stand behind it. */
interface Known {
  /** As it is listed, then in other spellings. */
  readonly names: readonly string[]
  readonly summary: string
  readonly actions: readonly string[]
  readonly flags: readonly KnownFlag[]
}

interface KnownFlag {
  readonly names: readonly string[]
  readonly help: string
  readonly takes: Taken
}

/** What follows a flag. */
type Taken =
  | { readonly kind: 'nothing' | 'file' | 'folder' | 'text' }
  | { readonly kind: 'choice' | 'list'; readonly values: readonly string[] }

function takenBy({ value, values, repeat }: Pick<Flags[string], 'value' | 'values' | 'repeat'>): Taken {
  if (value === undefined) return { kind: 'nothing' }
  if (values !== undefined) return { kind: repeat === true ? 'list' : 'choice', values }
  return { kind: value === 'FILE' ? 'file' : value === 'DIR' ? 'folder' : 'text' }
}

const listed = (known: readonly Known[]) => known.map(({ names: [name] }) => name).join(' ')
const flagNames = ({ flags }: Known) => flags.map(({ names: [name] }) => name).join(' ')

/** Arms of a `case` over command and word before: those with the same completion are one. Files are what is left. */
function armsFor(known: readonly Known[], completion: (taken: Taken) => string | undefined): string {
  const patterns = new Map<string, string[]>()
  for (const command of known)
    for (const flag of command.flags) {
      const does = completion(flag.takes)
      if (does === undefined) continue
      const both = command.names.flatMap((name) => flag.names.map((word) => `"${name} ${word}"`))
      patterns.set(does, [...(patterns.get(does) ?? []), ...both])
    }
  return [...patterns].map(([does, words]) => `    ${words.join('|')}) ${does}; return ;;`).join('\n')
}

/** Arms of a `case` over the command. */
function armsBy(known: readonly Known[], does: (command: Known) => string | undefined): string {
  return known
    .flatMap((command) => {
      const text = does(command)
      return text === undefined ? [] : [`    ${command.names.join('|')}) ${text} ;;`]
    })
    .join('\n')
}

/** ~/.bashrc: source <(scrim completion bash) */
function bash(known: readonly Known[]): string {
  const words = (text: string) => `COMPREPLY=($(compgen -W "${text}" -- "$word"))`
  const values = armsFor(known, (taken) => {
    if (taken.kind === 'choice') return words(taken.values.join(' '))
    if (taken.kind === 'list') return `_scrim_list "${taken.values.join(' ')}"`
    if (taken.kind === 'folder') return 'COMPREPLY=($(compgen -d -- "$word"))'
    return taken.kind === 'text' ? ':' : undefined
  })
  return `# scrim completion for bash: source <(scrim completion bash)
_scrim_list() {
  local before=""
  case "$word" in *,*) before="\${word%,*}," ;; esac
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "\${word##*,}"))
}
_scrim() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${words(listed(known))}
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${values}
  esac
  case "$word" in
  -*) case "\${COMP_WORDS[1]}" in
${armsBy(known, (command) => (command.flags.length === 0 ? undefined : words(flagNames(command))))}
    esac
    return ;;
  esac
  if [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in
${armsBy(known, ({ actions }) => (actions.length === 0 ? undefined : `${words(actions.join(' '))}; return`))}
  esac; fi
  COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _scrim scrim
`
}

/** ~/.zshrc: source <(scrim completion zsh) */
function zsh(known: readonly Known[]): string {
  const values = armsFor(known, (taken) => {
    if (taken.kind === 'choice') return `compadd -- ${taken.values.join(' ')}`
    if (taken.kind === 'list') return `compset -P '*,'; compadd -S '' -- ${taken.values.join(' ')}`
    if (taken.kind === 'folder') return '_files -/'
    return taken.kind === 'text' ? ':' : undefined
  })
  return `#compdef scrim
# scrim completion for zsh: source <(scrim completion zsh)
_scrim() {
  if (( CURRENT == 2 )); then
    compadd -- ${listed(known)}
    return
  fi
  case "\${words[2]} \${words[CURRENT-1]}" in
${values}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "\${words[2]}" in
${armsBy(known, (command) => (command.flags.length === 0 ? undefined : `compadd -- ${flagNames(command)}`))}
    esac
    return
  fi
  if (( CURRENT == 3 )); then case "\${words[2]}" in
${armsBy(known, ({ actions }) => (actions.length === 0 ? undefined : `compadd -- ${actions.join(' ')}; return`))}
  esac; fi
  _files
}
compdef _scrim scrim
`
}

/** scrim completion fish > ~/.config/fish/completions/scrim.fish */
function fish(known: readonly Known[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const parameter = (taken: Taken) => {
    if (taken.kind === 'choice') return ` -x -a ${quoted(taken.values.join(' '))}`
    if (taken.kind === 'list')
      return ` -x -a ${quoted(`(__fish_complete_list , 'string join \\n ${taken.values.join(' ')}')`)}`
    return { nothing: '', file: ' -r -F', folder: " -x -a '(__fish_complete_directories)'", text: ' -x' }[taken.kind]
  }
  return [
    '# scrim completion for fish: scrim completion fish > ~/.config/fish/completions/scrim.fish',
    ...known.map(
      ({ names: [name], summary }) => `complete -c scrim -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...known.flatMap(({ names, actions, flags }) => {
      const after = `'__fish_seen_subcommand_from ${names.join(' ')}'`
      const first = `'__fish_seen_subcommand_from ${names.join(' ')}; and test (count (commandline -opc)) -eq 2'`
      return [
        ...(actions.length === 0 ? [] : [`complete -c scrim -n ${first} -f -a ${quoted(actions.join(' '))}`]),
        ...flags.map(({ names: [long, short], help, takes }) => {
          const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
          return `complete -c scrim -n ${after} -l ${long.slice(2)}${letter}${parameter(takes)} -d ${quoted(help)}`
        }),
      ]
    }),
    '',
  ].join('\n')
}
