import type {
  Audience,
  CaseInput,
  Change,
  Chart,
  ColumnQuestion,
  DescribedOption,
  DocumentView,
  HeldRoles,
  Json,
  MapPoint,
  OutputsView,
  Preset,
  Profile,
  ReleaseType,
  ThreatAssessment,
  Types,
} from '@scrim/core'

/**
 * What the page and its workers say to each other. A worker keeps nothing that the page does not hand it again: files go along
 * with every question as handles, so that a worker can be ended at any time and another goes on.
 */
export interface SourceFile {
  /** One per file that was picked: what was read of it need not be read again. */
  readonly id: string
  readonly name: string
  readonly content: Blob
  /** Which of its tables is meant, where it holds several. */
  readonly part?: Part
}

/** A table of a file: an object of an R or SAS file, a sheet of a workbook, or one of the tables that an object holds. */
export interface Part {
  readonly kind: 'object' | 'sheet' | 'table'
  readonly name: string
}

/** A folder that was picked; its files are called by their place in it. */
export interface SourceFolder {
  readonly name: string
  readonly files: readonly SourceFile[]
}

/** Everything that a number depends on. */
export interface Project {
  readonly original: SourceFile
  readonly releases: readonly SourceFile[]
  readonly holdout: SourceFile | null
  /** The population, or a register of it, with the keys. */
  readonly population: SourceFile | null
  /** What an attacker holds. */
  readonly attacker: SourceFile | null
  /** Edit rules, a text. */
  readonly rules: SourceFile | null
  /** What was said about them, without the names of the files. */
  readonly case: CaseInput
}

/** How a column is grouped, in the words of the command line: `10`, `equal:5`, `fixed:0|18|65`; codes as `-8|-9`. */
export interface GroupText {
  readonly classes: string
  readonly codes: string
}

export interface Choice {
  readonly profile: Profile
  /** Instead of the profile, by id. */
  readonly measures: readonly string[] | null
  /** Find the columns that carry each alarm. */
  readonly why: boolean
  /** By measure, what was changed. */
  readonly options: Readonly<Record<string, OptionValues>>
}

export interface ColumnInfo {
  readonly name: string
  readonly kind: 'numeric' | 'categorical' | 'date'
  readonly ordered: boolean
  readonly missing: number
  readonly distinct: number
}

export interface TableInfo {
  readonly rows: number
  readonly columns: readonly ColumnInfo[]
  /** The first rows, as people read them. */
  readonly preview: readonly (readonly string[])[]
}

export type TableRole = 'original' | 'release' | 'holdout' | 'population' | 'attacker'

/** What a file holds. */
export interface Looked {
  /** The table that it is read for; none where somebody must choose, several where a file holds several releases. */
  readonly tables: readonly LookedTable[]
  /** Of an original: what the same file says was released of it. */
  readonly releases: readonly LookedTable[]
  /** Objects or sheets of which one can be chosen. */
  readonly parts: readonly Part[]
  /** What the file says that its columns are for. */
  readonly roles: HeldRoles
}

export interface LookedTable {
  readonly part?: Part
  readonly info: TableInfo
}

/** Before a run: what is wrong, what is to be known, and what can be measured. */
export interface Checked {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** What only a person can answer; where one is without an answer, it is among the problems. */
  readonly questions: readonly ColumnQuestion[]
  /** As the files look. */
  readonly type: ReleaseType
  readonly measures: readonly MeasureInfo[]
}

export interface MeasureInfo {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly role: string
  readonly threat: string | null
  /** The smallest profile that has it. */
  readonly profile: Profile
  /** What it needs and was not given, in words. */
  readonly unmet: string | null
}

export type RunProgress =
  | { readonly kind: 'plan'; readonly measures: readonly PlannedMeasure[] }
  | { readonly kind: 'at'; readonly measure: string; readonly share: number }
  | { readonly kind: 'result'; readonly result: FinishedMeasure }
  | { readonly kind: 'note'; readonly text: string }
  /** What a plan would do. */
  | { readonly kind: 'estimate'; readonly estimate: Estimate }
  /** Of the bytes of a file. */
  | { readonly kind: 'read'; readonly share: number }
  | { readonly kind: 'search'; readonly what: string; readonly done: number; readonly total: number }

/** What is measured, in words. */
export interface PlannedMeasure {
  readonly id: string
  readonly title: string
  readonly summary: string
}

export interface FinishedMeasure {
  readonly id: string
  /** Whether it counts for the verdict. */
  readonly decides: boolean
  /** What it found, a sentence for each release and target. */
  readonly found: readonly { readonly release: string; readonly sentence: string }[]
}

/** A share over a threshold that somebody may move. */
export interface ThresholdCurve {
  readonly measure: 'attribution' | 'rapid'
  readonly release: number
  readonly target: string | null
  /** What the threshold is called. */
  readonly threshold: string
  readonly chosen: number
  readonly points: readonly { readonly at: number; readonly values: Readonly<Record<string, number | null>> }[]
}

/** What a run found, as far as the page shows it without asking again. */
export interface RunSummary {
  /** How many of the measures that were planned are in it. */
  readonly finished: number
  readonly planned: number
  readonly seconds: number
  readonly releases: readonly ReleaseSummary[]
  readonly curves: readonly ThresholdCurve[]
}

export interface ReleaseSummary {
  readonly name: string
  readonly level: string
  readonly recommendation: string
  readonly sentence: string
  readonly point: MapPoint | null
  readonly utility: { readonly level: string; readonly score: number | null } | null
  readonly threats: readonly Pick<ThreatAssessment, 'threat' | 'target' | 'level' | 'leakage' | 'interval'>[]
}

/** What can be asked, what is answered. */
export interface Requests {
  look: {
    readonly in: { readonly file: SourceFile; readonly types: Types; readonly as: TableRole }
    readonly out: Looked
  }
  check: { readonly in: { readonly project: Project }; readonly out: Checked }
  suggest: { readonly in: { readonly file: SourceFile; readonly types: Types }; readonly out: readonly SuggestedRole[] }
  sample: { readonly in: Record<string, never>; readonly out: SampleProject }
  run: {
    /** `why`: find the columns that carry each alarm. */
    readonly in: { readonly project: Project; readonly why: boolean; readonly plan: Plan | null }
    readonly out: RunSummary
  }
  document: { readonly in: { readonly audience: Audience }; readonly out: DocumentView }
  /** By the rules. */
  outputs: { readonly in: OutputsQuestion; readonly out: OutputsView }
  /** The same with what they tell about people; null when it was cancelled. */
  outputRisk: { readonly in: RiskQuestion; readonly out: OutputsView | null }
  options: { readonly in: { readonly of: string }; readonly out: readonly OptionInfo[] }
  outputsJson: { readonly in: Record<string, never>; readonly out: string }
  outputsHtml: { readonly in: Record<string, never>; readonly out: string }
  json: { readonly in: Record<string, never>; readonly out: string }
  html: { readonly in: { readonly audience: Audience }; readonly out: string }
  proposals: { readonly in: { readonly release: number }; readonly out: readonly Change[] }
  /** What every single change would do, told one by one. */
  estimates: { readonly in: AdviseQuestion; readonly out: null }
  /** A plan that helps; null when it was cancelled. */
  advise: { readonly in: AdviseQuestion; readonly out: AdviceFound | null }
  /** The files of the run as CSV, changed ones as they were changed. */
  files: { readonly in: Record<string, never>; readonly out: readonly MadeFile[] }
  /** What repeats the run on the command line. */
  config: { readonly in: Record<string, never>; readonly out: string }
  draw: { readonly in: { readonly spec: Chart['spec'] }; readonly out: string }
}

/** A request for outputs, the data that they were made from, and results of earlier checks. */
export interface OutputsQuestion {
  readonly request: SourceFile | SourceFolder
  readonly data: SourceFile
  readonly types: Types
  /** People who are not in the data. */
  readonly holdout: SourceFile | null
  readonly earlier: readonly SourceFile[]
  readonly preset: Preset
  /** Limits that are not those of the preset. */
  readonly limits: OptionValues
}

export interface RiskQuestion {
  readonly seed: number
  readonly seconds: number
  readonly options: OptionValues
}

/** Options that somebody has changed. */
export type OptionValues = Readonly<Record<string, Json>>

/** An option of a measure, as its declaration has it. */
export interface OptionInfo {
  readonly name: string
  readonly about: string
  /** What it is unless it is changed, as people write it; empty where the measure decides. */
  readonly usual: string
  readonly schema: DescribedOption
}

/** A guess, with what it rests on. */
export interface SuggestedRole {
  readonly column: string
  readonly role: 'key' | 'target' | 'weight' | 'household' | 'direct identifier'
  readonly reason: string
  /** By how much the share of people who are unique grows, in the mean, when the column joins others; null where the reason says it. */
  readonly added: number | null
}

export interface MadeFile {
  readonly role: 'original' | 'release' | 'holdout' | 'population'
  readonly name: string
  readonly content: Blob
}

export interface AdviseQuestion {
  readonly project: Project
  readonly release: number
}

/** What a plan would do, by the measures that decide. */
export interface Estimate {
  /** The plan in words. */
  readonly what: string
  /** Why it cannot be carried out on this file; nothing else is known then. */
  readonly problem?: string
  readonly level: string
  /** Of the worst threat. */
  readonly leakage: number | null
  readonly utility: number | null
}

export interface AdviceFound {
  /** null when nothing that was tried brings a better verdict. */
  readonly plan: readonly Change[] | null
  readonly level: string | null
  readonly tried: number
}

/** What is done to a copy of one release before it is assessed. */
export interface Plan {
  readonly release: number
  readonly changes: readonly Change[]
}

export interface SampleProject {
  readonly original: SourceFile
  readonly releases: readonly SourceFile[]
  readonly holdout: SourceFile
  readonly keys: readonly string[]
  readonly target: string
}

export type RequestKind = keyof Requests

export type ToEngine =
  | { readonly id: number; readonly kind: RequestKind; readonly input: unknown }
  | { readonly kind: 'cancel' }

export type FromEngine =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly progress: RunProgress }
  | { readonly id: number; readonly problems: readonly string[]; readonly isOurs: boolean }
