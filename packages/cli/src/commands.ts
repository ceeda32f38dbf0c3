import type { Command } from './command.js'

/** Headings of the overview, in its order. */
export const COMMAND_GROUPS = {
  start: 'getting started',
  ask: 'releases',
  outputs: 'models, tables and other outputs',
  make: 'making data',
  gate: 'pipelines, clusters and databases',
  other: 'more',
}

/** A command by name; the rest of it is loaded when it is called, because most of scrim is of no use to most commands. */
export interface ListedCommand {
  readonly name: string
  readonly group: keyof typeof COMMAND_GROUPS
  /** Other spellings of the name. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly load: () => Promise<Command>
}

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'demo',
    group: 'start',
    summary:
      'Simulates people, releases them in three ways, assesses all and writes data, results, charts and a report.',
    load: async () => (await import('./commands/start/demo.js')).demoCommand,
  },
  {
    name: 'ui',
    group: 'start',
    summary: 'Opens the page in a browser: the same answers by mouse, computed on this machine.',
    load: async () => (await import('./commands/start/ui.js')).uiCommand,
  },
  {
    name: 'keys',
    group: 'start',
    summary:
      'Suggests which columns are keys and targets, and which say who somebody is: by names, by content, and by how many people sets of columns single out.',
    load: async () => (await import('./commands/start/keys.js')).keysCommand,
  },
  {
    name: 'init',
    group: 'start',
    summary: 'Writes a config file to start from: asks for the roles of the columns, or takes what keys suggests.',
    load: async () => (await import('./commands/start/init.js')).initCommand,
  },
  {
    name: 'assess',
    group: 'ask',
    summary:
      'Says whether each file may be released: one verdict per threat, the worst of them, what it rests on, and how useful the release is.',
    load: async () => (await import('./commands/releases/assess.js')).assessCommand,
  },
  {
    name: 'measure',
    group: 'ask',
    summary: 'Computes one measure of one or several releases of the same original.',
    load: async () => (await import('./commands/releases/measure.js')).measureCommand,
  },
  {
    name: 'measures',
    group: 'ask',
    summary: 'Lists every measure: id, family, threat, what it needs, what it says.',
    load: async () => (await import('./commands/releases/measures.js')).measuresCommand,
  },
  {
    name: 'utility',
    group: 'ask',
    summary:
      'Says how useful each release is: every measure of utility beside what an honest sample of the original gives.',
    load: async () => (await import('./commands/releases/utility.js')).utilityCommand,
  },
  {
    name: 'compare',
    group: 'ask',
    summary: 'Puts several candidates on one map of risk and utility: which are worth having, and how sure is that?',
    load: async () => (await import('./commands/releases/compare.js')).compareCommand,
  },
  {
    name: 'advise',
    group: 'ask',
    summary:
      'Tries what could make a release safer, measures how each changes leakage and utility, and says how to make the best.',
    load: async () => (await import('./commands/releases/advise.js')).adviseCommand,
  },
  {
    name: 'attack',
    group: 'ask',
    summary:
      'Plays the strong attacker, who knows the synthesizer and every record but one: what does a release reveal about the last?',
    load: async () => (await import('./commands/releases/attack.js')).attackCommand,
  },
  {
    name: 'audit-dp',
    group: 'ask',
    summary:
      'Tests a generator against the epsilon that it states: how far can an attacker tell releases with one person from those without?',
    load: async () => (await import('./commands/releases/audit-dp.js')).auditDpCommand,
  },
  {
    name: 'outputs',
    group: 'outputs',
    summary:
      'Checks outputs that a researcher wants to take out (models, tables, summaries) by rules and by what they reveal about people.',
    load: async () => (await import('./commands/outputs/outputs.js')).outputsCommand,
  },
  {
    name: 'embed',
    group: 'outputs',
    summary:
      'Makes simulated records that reproduce published outputs, from the printed numbers alone: what an outsider could make of them.',
    load: async () => (await import('./commands/outputs/embed.js')).embedCommand,
  },
  {
    name: 'synthesize',
    group: 'make',
    aliases: ['synthesise'],
    summary:
      'Makes synthetic data from a file, and says how: by trees, regressions, forests, tables of counts, a copula, or a program of your own.',
    load: async () => (await import('./commands/data/synthesize.js')).synthesizeCommand,
  },
  {
    name: 'anonymise',
    group: 'make',
    aliases: ['anonymize'],
    summary: 'Masks a file by a classical method, or prepares a synthetic one for release, and says what was changed.',
    load: async () => (await import('./commands/data/anonymise.js')).anonymiseCommand,
  },
  {
    name: 'simulate',
    group: 'make',
    summary:
      'Simulates the microdata of papers: health (gender, age, education, income, health score, disease), census-like records or buyer-beware.',
    load: async () => (await import('./commands/data/simulate.js')).simulateCommand,
  },
  {
    name: 'check',
    group: 'gate',
    summary: 'Checks releases against a policy: a gate for pipelines.',
    load: async () => (await import('./commands/pipelines/check.js')).checkCommand,
  },
  {
    name: 'policy',
    group: 'gate',
    summary: 'Writes a policy to start from: scrim policy init.',
    load: async () => (await import('./commands/pipelines/policy.js')).policyCommand,
  },
  {
    name: 'partial',
    group: 'gate',
    summary: 'Runs one of several parts of an assessment, so that the jobs of a cluster can share it.',
    load: async () => (await import('./commands/pipelines/partial.js')).partialCommand,
  },
  {
    name: 'merge',
    group: 'gate',
    summary: 'Puts the parts of an assessment together: the same answer as from one machine.',
    load: async () => (await import('./commands/pipelines/merge.js')).mergeCommand,
  },
  {
    name: 'engines',
    group: 'gate',
    summary:
      'Lists where tables may live besides files that fit into memory, what is installed, and how to get the rest.',
    load: async () => (await import('./commands/pipelines/engines.js')).enginesCommand,
  },
  {
    name: 'study',
    group: 'other',
    summary:
      'Repeats the simulations of a paper and compares with what it published (rapid, buyer-beware, output-risk), or compares membership attacks (membership).',
    load: async () => (await import('./commands/more/study.js')).studyCommand,
  },
  {
    name: 'completion',
    group: 'other',
    summary: 'Prints what makes a shell complete commands and flags: bash, zsh or fish.',
    load: async () => (await import('./commands/more/completion.js')).completionCommand,
  },
]

export function commandCalled(name: string): ListedCommand | undefined {
  return COMMANDS.find((command) => command.name === name || command.aliases?.includes(name))
}
