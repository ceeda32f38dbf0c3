import { measures, UserError, unknownName } from '@scrim/core'
import { type Command, flagsOf } from '../command.js'
import { COMMANDS } from '../commands.js'
import { EXIT } from '../exit.js'
import type { Io } from '../io.js'
import type { Arguments } from '../options/arguments.js'

export const completionCommand: Command = {
  usage: 'bash|zsh|fish',
  flags: {},
  writes: false,
  notes: [
    'Commands, their flags and the names of measures are completed, and files elsewhere. Print it again after an update.',
  ],
  examples: ['scrim completion bash', 'scrim completion zsh', 'scrim completion fish'],
  run,
}

/** A command with the flags that it takes. */
interface Known {
  readonly name: string
  readonly summary: string
  readonly flags: readonly { readonly name: string; readonly help: string }[]
}

const SHELLS = { bash, zsh, fish }

async function run({ positionals: [shell, ...rest] }: Arguments, io: Io): Promise<number> {
  const names = Object.keys(SHELLS)
  if (shell === undefined || rest.length > 0) throw new UserError(`usage: scrim completion ${completionCommand.usage}`)
  if (!isShell(shell)) throw new UserError(unknownName('shell', shell, names))
  const known: Known[] = []
  for (const { name, summary, load } of COMMANDS) {
    const flags = Object.entries(flagsOf(await load())).map(([flag, { help }]) => ({ name: `--${flag}`, help }))
    known.push({ name, summary, flags })
  }
  io.data(
    SHELLS[shell](
      known,
      measures.map(({ id }) => id),
    ),
  )
  return EXIT.ok
}

function isShell(name: string): name is keyof typeof SHELLS {
  return Object.hasOwn(SHELLS, name)
}

const namesOf = (known: readonly Known[]) => [...known.map(({ name }) => name), 'help'].join(' ')
const flagNames = ({ flags }: Known) => flags.map(({ name }) => name).join(' ')

/** ~/.bashrc: source <(scrim completion bash) */
function bash(known: readonly Known[], ids: readonly string[]): string {
  return `# scrim completion for bash: source <(scrim completion bash)
_scrim() {
  local word="\${COMP_WORDS[COMP_CWORD]}" flags=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(known)}" -- "$word"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
      measure) COMPREPLY=($(compgen -W "${ids.join(' ')}" -- "$word")); return ;;
      help) COMPREPLY=($(compgen -W "${namesOf(known)} ${ids.join(' ')}" -- "$word")); return ;;
    esac
  fi
  case "\${COMP_WORDS[1]}" in
${known.map((one) => `    ${one.name}) flags="${flagNames(one)}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _scrim scrim
`
}

/** ~/.zshrc: source <(scrim completion zsh) */
function zsh(known: readonly Known[], ids: readonly string[]): string {
  return `#compdef scrim
# scrim completion for zsh: source <(scrim completion zsh)
_scrim() {
  if (( CURRENT == 2 )); then
    compadd -- ${namesOf(known)}
    return
  fi
  if (( CURRENT == 3 )); then
    case "\${words[2]}" in
      measure) compadd -- ${ids.join(' ')}; return ;;
      help) compadd -- ${namesOf(known)} ${ids.join(' ')}; return ;;
    esac
  fi
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "\${words[2]}" in
${known.map((one) => `      ${one.name}) compadd -- ${flagNames(one)} ;;`).join('\n')}
    esac
  else
    _files
  fi
}
compdef _scrim scrim
`
}

/** scrim completion fish > ~/.config/fish/completions/scrim.fish */
function fish(known: readonly Known[], ids: readonly string[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return [
    '# scrim completion for fish: scrim completion fish > ~/.config/fish/completions/scrim.fish',
    ...known.map(
      ({ name, summary }) => `complete -c scrim -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    `complete -c scrim -n __fish_use_subcommand -f -a help`,
    `complete -c scrim -n '__fish_seen_subcommand_from measure help' -a ${quoted(ids.join(' '))}`,
    ...known.flatMap(({ name, flags }) =>
      flags.map(
        (flag) =>
          `complete -c scrim -n '__fish_seen_subcommand_from ${name}' -l ${flag.name.slice(2)} -d ${quoted(flag.help)}`,
      ),
    ),
    '',
  ].join('\n')
}
