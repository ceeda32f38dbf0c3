import engineAddress from 'scrim-worker:engine'
import type {
  Audience,
  CaseInput,
  Change,
  DocumentView,
  HeldRoles,
  Json,
  ReleaseType,
  SameOrDifferent,
  TypeSpec,
  Types,
} from '@scrim/core'
import { UserError, withChange, withTypedOption } from '@scrim/core'
import { unbroken } from '@scrim/report'
import { type Engine, openEngine, PATIENCE } from './engine/client.js'
import type {
  AdviceFound,
  Checked,
  Choice,
  Estimate,
  FinishedMeasure,
  GroupText,
  Looked,
  Part,
  Plan,
  PlannedMeasure,
  Project,
  RunProgress,
  RunSummary,
  SourceFile,
  SuggestedRole,
  TableInfo,
  TableRole,
} from './engine/protocol.js'
import { openOutputs } from './outputs-session.js'
import { problemsOf } from './problems.js'

/**
 * Everything that the page knows, and what can be done with it. Data live in workers: here are names, counts and what is shown.
 * Components read `state` and are told when it has changed.
 */
export type Step = 'data' | 'roles' | 'run' | 'read' | 'act' | 'outputs'
export type FileRole = TableRole
export type RoleName = 'key' | 'numeric key' | 'target' | 'weight' | 'household' | 'identifier'

export interface LoadedFile {
  readonly source: SourceFile
  readonly info: TableInfo | null
  /** Objects or sheets of it of which one can be chosen. */
  readonly parts: readonly Part[]
  readonly problems: readonly string[]
  /** How much of its bytes is there while it is being read; null when that is done. */
  readonly reading: number | null
}

export interface RunState {
  readonly id: number
  readonly plan: Plan | null
  readonly project: Project
  readonly measures: readonly PlannedMeasure[]
  /** When it began, for the time that is left. */
  readonly started: number
  readonly at: { readonly measure: string; readonly share: number } | null
  readonly note: string | null
  readonly finished: ReadonlyMap<string, FinishedMeasure>
  readonly isStopping: boolean
  readonly summary: RunSummary | null
  readonly problems: readonly string[]
}

export interface Trying {
  readonly kind: 'estimates' | 'advise'
  readonly what: string
  readonly done: number
  readonly total: number
}

export interface State {
  readonly step: Step
  readonly original: LoadedFile | null
  readonly releases: readonly LoadedFile[]
  readonly holdout: LoadedFile | null
  readonly population: LoadedFile | null
  readonly attacker: LoadedFile | null
  readonly attackerColumns: Readonly<Record<string, string>>
  readonly rules: SourceFile | null
  readonly groups: Readonly<Record<string, GroupText>>
  readonly types: Types
  readonly roles: Readonly<Record<string, RoleName>>
  readonly type: ReleaseType | null
  /** By question. */
  readonly answers: Readonly<Record<string, SameOrDifferent>>
  readonly seed: number
  readonly choice: Choice
  /** null: not known yet. */
  readonly suggestions: readonly SuggestedRole[] | null
  readonly checked: Checked | null
  readonly isChecking: boolean
  readonly isLoadingSample: boolean
  /** Oldest first; the last is the one shown, the one before it what it is compared with. */
  readonly runs: readonly RunState[]
  readonly release: number
  readonly audience: Audience
  readonly document: DocumentView | null
  readonly plan: readonly Change[]
  readonly proposals: readonly Change[]
  /** What plans would do, by their words. */
  readonly estimates: ReadonlyMap<string, Estimate>
  /** What is being tried; null when nothing is. */
  readonly trying: Trying | null
  readonly advice: AdviceFound | null
  readonly problem: string | null
}

const NOTHING: State = {
  step: 'data',
  original: null,
  releases: [],
  holdout: null,
  population: null,
  attacker: null,
  attackerColumns: {},
  rules: null,
  groups: {},
  types: {},
  roles: {},
  type: null,
  answers: {},
  seed: 1,
  choice: { profile: 'standard', measures: null, why: false, options: {} },
  suggestions: null,
  checked: null,
  isChecking: false,
  isLoadingSample: false,
  runs: [],
  release: 0,
  audience: 'publishable',
  document: null,
  plan: [],
  proposals: [],
  estimates: new Map(),
  trying: null,
  advice: null,
  problem: null,
}

/** What a worker says that was ended. */
const CANCELLED = 'cancelled'

const unread = (source: SourceFile): LoadedFile => ({ source, info: null, parts: [], problems: [], reading: 0 })

/** Runs that are kept to go back to: each holds its files in memory. */
const MOST_RUNS = 6

export type Session = ReturnType<typeof openSession>

export function openSession(onChange: () => void) {
  let state = NOTHING
  const set = (part: Partial<State>) => {
    state = { ...state, ...part }
    onChange()
  }
  let reader = openEngine(engineAddress, 'reader')
  const engines = new Map<number, Engine>()
  let named = 0
  let checks = 0
  let looking: Promise<void> = Promise.resolve()
  let documents = 0

  const fail = (error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error)
    if (problem !== CANCELLED) set({ problem })
  }

  let before: Promise<unknown> = Promise.resolve()
  /** Files change one after the other: each change reads, and the next may be asked for while it does. */
  const inTurn =
    <Given extends unknown[]>(change: (...given: Given) => Promise<void> | void) =>
    (...given: Given): Promise<void> => {
      const own = before.then(() => change(...given))
      before = own.catch(() => {})
      return own
    }

  /** What is in a file, as many files as it holds tables for this place. */
  const loaded = async (
    source: SourceFile,
    types: Types,
    as: FileRole,
    onShare: (share: number) => void = () => {},
  ): Promise<Loaded> => {
    try {
      const { tables, releases, parts, roles } = await reader.ask(
        'look',
        { file: source, types, as },
        (at) => at.kind === 'read' && onShare(at.share),
      )
      const each = ({ part, info }: Looked['tables'][number]): LoadedFile => ({
        source: part === undefined ? source : { ...source, part },
        info,
        parts,
        problems: [],
        reading: null,
      })
      const files = tables.length === 0 ? [{ ...unread(source), parts, reading: null }] : tables.map(each)
      return { files, releases: releases.map(each), roles }
    } catch (error) {
      // Its reader may have died of the file; the next file gets another.
      if (!(error instanceof UserError)) newReader()
      return { files: [{ ...unread(source), problems: problemsOf(error), reading: null }], releases: [], roles: {} }
    }
  }

  const newReader = () => {
    reader.end()
    reader = openEngine(engineAddress, 'reader')
  }

  /** A file that is being read stands in its place from the start, with how far it is. */
  const announce = (as: FileRole, file: LoadedFile) => {
    if (as !== 'release') return set({ [as]: file })
    const isKnown = state.releases.some(({ source }) => source.id === file.source.id)
    set({
      releases: isKnown
        ? state.releases.map((one) => (one.source.id === file.source.id ? file : one))
        : [...state.releases, file],
    })
  }

  const place = (as: FileRole, { files, releases, roles }: Loaded) => {
    if (as === 'release') set({ releases: [...state.releases, ...files] })
    else set({ [as]: files[0] })
    if (as === 'attacker') set({ attackerColumns: {} })
    if (as !== 'original') return
    set({ roles: rolesIn(roles), type: roles.type ?? null, types: {}, groups: {}, suggestions: null })
    // An object of a package holds what was made of its original, too.
    if (state.releases.length === 0) set({ releases })
  }

  /** Types that hold for a file in this place; a population and an attacker have other columns. */
  const typesIn = (as: FileRole) => (as === 'release' || as === 'holdout' ? state.types : {})

  async function addFiles(as: FileRole, files: readonly File[]): Promise<void> {
    const taken = allFiles(state).map(({ source }) => source.name)
    const wanted = as === 'release' ? files : files.slice(0, 1)
    for (const file of wanted) {
      const name = freeName(file.name, taken)
      taken.push(name)
      const source = { id: `file ${++named}`, name, content: file }
      const before = as === 'release' ? null : state[as]
      announce(as, unread(source))
      const read = await loaded(source, typesIn(as), as, (share) => announce(as, { ...unread(source), reading: share }))
      const isCancelled = read.files[0]?.problems[0] === CANCELLED
      if (as === 'release') set({ releases: state.releases.filter((one) => one.source.id !== source.id) })
      else if (isCancelled) set({ [as]: before })
      if (!isCancelled) place(as, read)
    }
    if (wanted.length === 0) return
    if (as === 'original') void suggest()
    void check()
  }

  /** Takes another table of a file. */
  async function choosePart(as: FileRole, { source }: LoadedFile, part: Part): Promise<void> {
    const read = await loaded({ ...source, part }, typesIn(as), as)
    if (as === 'release')
      set({ releases: state.releases.flatMap((one) => (one.source.id === source.id ? read.files : [one])) })
    else place(as, read)
    if (as === 'original') void suggest()
    void check()
  }

  /** On a worker of its own: on a large file it takes a while. */
  async function suggest(): Promise<void> {
    const { original, types } = state
    if (original?.info == null) return
    const engine = openEngine(engineAddress, 'suggest')
    try {
      const suggestions = await engine.ask('suggest', { file: original.source, types })
      if (state.original?.source.id === original.source.id) set({ suggestions })
    } catch (error) {
      fail(error)
    } finally {
      engine.end()
    }
  }

  function takeSuggestions(): void {
    const taken = (state.suggestions ?? []).flatMap(({ column, role }) =>
      role === 'direct identifier' ? [] : [[column, role] as const],
    )
    set({ roles: Object.fromEntries(taken) })
    void check()
  }

  /** Stops reading; what was read before stays. */
  function cancelReading(): void {
    newReader()
  }

  function removeFile(id: string): void {
    const keep = (file: LoadedFile | null) => (file?.source.id === id ? null : file)
    set({
      original: keep(state.original),
      holdout: keep(state.holdout),
      population: keep(state.population),
      attacker: keep(state.attacker),
      ...(state.attacker?.source.id === id ? { attackerColumns: {} } : {}),
      ...(state.rules?.id === id ? { rules: null } : {}),
      releases: state.releases.filter((file) => file.source.id !== id),
    })
    void check()
  }

  async function loadSample(): Promise<void> {
    set({ isLoadingSample: true })
    try {
      const { original, releases, holdout, keys, target } = await reader.ask('sample', {})
      const roles = Object.fromEntries([...keys.map((key) => [key, 'key'] as const), [target, 'target'] as const])
      const only = async (file: SourceFile, as: FileRole) => (await loaded(file, {}, as)).files[0]
      set({
        original: await only(original, 'original'),
        releases: await Promise.all(releases.map((one) => only(one, 'release'))),
        holdout: await only(holdout, 'holdout'),
        types: {},
        groups: {},
        roles,
        type: 'unknown',
        suggestions: null,
      })
      void suggest()
      void check()
    } catch (error) {
      fail(error)
    } finally {
      set({ isLoadingSample: false })
    }
  }

  async function setColumnType(column: string, spec: TypeSpec | null): Promise<void> {
    const { [column]: _, ...others } = state.types
    const types = spec === null ? others : { ...others, [column]: spec }
    set({ types })
    const again = async (file: LoadedFile | null, as: FileRole) => {
      if (file === null) return null
      const { files, releases } = await loaded(file.source, typesFor(types, file.info), as)
      const own = [...files, ...releases].find(({ source }) => source.part?.name === file.source.part?.name)
      return own ?? files[0]
    }
    const [original, holdout, ...releases] = await Promise.all([
      again(state.original, 'original'),
      again(state.holdout, 'holdout'),
      ...state.releases.map((file) => again(file, 'release')),
    ])
    set({ original, holdout, releases: releases.flatMap((one) => one ?? []) })
    void check()
  }

  function setRole(column: string, role: RoleName | null): void {
    const { [column]: _, ...others } = state.roles
    // There is one weight, one household, one identifier.
    const single = role === 'weight' || role === 'household' || role === 'identifier'
    const kept = single ? Object.fromEntries(Object.entries(others).filter(([, name]) => name !== role)) : others
    set({ roles: role === null ? kept : { ...kept, [column]: role } })
    void check()
  }

  type About = 'type' | 'answers' | 'seed' | 'choice' | 'groups' | 'attackerColumns'

  function setAbout(part: Partial<Pick<State, About>>): void {
    const before = state.choice.options
    set(part)
    const isAsked = ['type', 'answers', 'groups', 'attackerColumns'].some((name) => name in part)
    if (isAsked || state.choice.options !== before) void check()
  }

  function setOption(measure: string, name: string, value: Json | undefined): void {
    const { [measure]: mine = {}, ...others } = state.choice.options
    const { [name]: _, ...rest } = mine
    const own = value === undefined ? rest : { ...rest, [name]: value }
    const options = Object.keys(own).length === 0 ? others : { ...others, [measure]: own }
    setAbout({ choice: { ...state.choice, options } })
  }

  /** An option as it is typed on a command line, with its measure before it: `disclosure.exclude+=...`. */
  async function typeOption(text: string): Promise<void> {
    const [measure] = text.split('.')
    const known = await reader.ask('options', { of: measure })
    const properties = Object.fromEntries(known.map(({ name, schema }) => [name, schema]))
    const options = withTypedOption(state.choice.options, text, {
      at: (path) => path,
      described: () => ({ properties }),
    })
    setAbout({ choice: { ...state.choice, options: options as State['choice']['options'] } })
  }

  function setRules(file: File | undefined): void {
    if (file === undefined) return
    set({ rules: { id: `file ${++named}`, name: file.name, content: file } })
    void check()
  }

  /** Asks the worker what is wrong; who clicks on while it looks is answered for the last click only. */
  async function check(): Promise<void> {
    const mine = ++checks
    if (projectOf(state) === null) return set({ checked: null, isChecking: false })
    set({ isChecking: true })
    await looking
    if (mine !== checks) return
    looking = answerCheck()
    await looking
  }

  async function answerCheck(): Promise<void> {
    const project = projectOf(state)
    const mine = checks
    if (project === null) return
    try {
      const checked = await reader.ask('check', { project })
      if (mine === checks) set({ checked, isChecking: false })
    } catch (error) {
      if (mine === checks) set({ isChecking: false })
      fail(error)
    }
  }

  async function run(plan: Plan | null = null): Promise<void> {
    const project = projectOf(state)
    if (project === null || state.checked === null) return
    const id = ++named
    const engine = openEngine(engineAddress, 'run')
    engines.set(id, engine)
    const started: RunState = {
      id,
      plan,
      project,
      measures: [],
      started: performance.now(),
      at: null,
      note: null,
      finished: new Map(),
      isStopping: false,
      summary: null,
      problems: [],
    }
    // A new question about the files ends what was tried on the answer to the old one.
    const kept = plan === null ? [] : state.runs.filter(({ summary }) => summary !== null).slice(1 - MOST_RUNS)
    forget(state.runs.filter((one) => !kept.includes(one)))
    set({ runs: [...kept, started], step: plan === null ? 'run' : 'act', document: null })
    if (plan === null) forgetAdvice()
    const change = (part: Partial<RunState>) =>
      set({ runs: state.runs.map((one) => (one.id === id ? { ...one, ...part } : one)) })
    const finished = new Map<string, FinishedMeasure>()
    try {
      const summary = await engine.ask('run', { project, why: state.choice.why, plan }, (at: RunProgress) => {
        if (at.kind === 'plan') change({ measures: at.measures })
        else if (at.kind === 'note') change({ note: at.text, at: null })
        else if (at.kind === 'at') change({ at: { measure: at.measure, share: at.share } })
        else if (at.kind === 'result') {
          finished.set(at.result.id, at.result)
          change({ finished: new Map(finished) })
        }
      })
      change({ summary: unbrokenIn(summary), at: null, note: null, isStopping: false })
      const isWaitedFor = plan === null && state.step === 'run' && summary.finished === summary.planned
      set({ release: 0, ...(isWaitedFor ? { step: 'read' } : {}) })
      await Promise.all([loadDocument(), plan === null ? loadProposals() : undefined])
    } catch (error) {
      change({ problems: problemsOf(error), at: null, note: null, isStopping: false })
    }
  }

  function cancel(): void {
    const [running] = state.runs.filter(({ summary, problems }) => summary === null && problems.length === 0)
    const engine = running === undefined ? undefined : engines.get(running.id)
    if (running === undefined || engine === undefined) return
    set({ runs: state.runs.map((one) => (one === running ? { ...one, isStopping: true } : one)) })
    engine.cancel()
    setTimeout(() => {
      if (state.runs.some((one) => one.id === running.id && one.isStopping)) engine.end()
    }, PATIENCE)
  }

  /** The run that is shown. */
  function shown(): { run: RunState; engine: Engine } | null {
    const run = state.runs.filter(({ summary }) => summary !== null).at(-1)
    const engine = run === undefined ? undefined : engines.get(run.id)
    return run === undefined || engine === undefined ? null : { run, engine }
  }

  async function loadDocument(): Promise<void> {
    const mine = ++documents
    const found = await shown()?.engine.ask('document', { audience: state.audience })
    if (mine === documents) set({ document: found === undefined ? null : unbrokenIn(found) })
  }

  async function loadProposals(): Promise<void> {
    const base = baseRun()
    if (base === null) return
    set({ proposals: await base.engine.ask('proposals', { release: state.release }) })
  }

  function baseRun() {
    const run = state.runs.find(({ plan, summary }) => plan === null && summary !== null)
    const engine = run === undefined ? undefined : engines.get(run.id)
    return run === undefined || engine === undefined ? null : { run, engine }
  }

  function selectRelease(release: number): void {
    if (release === state.release) return
    set({ release })
    if (state.runs.at(-1)?.plan === null) forgetAdvice()
    if (state.runs.at(-1)?.plan === null) void loadProposals().catch(fail)
  }

  function setAudience(audience: Audience): void {
    set({ audience })
    void loadDocument().catch(fail)
  }

  let adviser: Engine | undefined

  /** What was tried on one release says nothing of another. */
  function forgetAdvice(): void {
    adviser?.end()
    adviser = undefined
    set({ plan: [], proposals: [], estimates: new Map(), trying: null, advice: null })
  }

  /** Tries every option alone, or searches for a plan; what is known is shown at once. */
  async function tryChanges(kind: Trying['kind']): Promise<void> {
    const base = baseRun()
    if (base === null || state.trying !== null) return
    const engine = openEngine(engineAddress, 'advise')
    adviser = engine
    set({ trying: { kind, what: '', done: 0, total: 0 }, ...(kind === 'advise' ? { advice: null } : {}) })
    const question = { project: base.run.project, release: state.release }
    const listen = (at: RunProgress) => {
      if (adviser !== engine) return
      if (at.kind === 'search') set({ trying: { kind, what: at.what, done: at.done, total: at.total } })
      if (at.kind === 'estimate')
        set({ estimates: new Map([...state.estimates, [at.estimate.what, at.estimate] as const]) })
    }
    try {
      if (kind === 'estimates') await engine.ask('estimates', question, listen)
      else {
        const advice = await engine.ask('advise', question, listen)
        if (adviser === engine) set({ advice })
      }
    } catch (error) {
      fail(error)
    } finally {
      engine.end()
      if (adviser === engine) set({ trying: null })
    }
  }

  function stopTrying(): void {
    adviser?.end()
  }

  function forget(runs: readonly RunState[]): void {
    for (const { id } of runs) {
      engines.get(id)?.end()
      engines.delete(id)
    }
  }

  /** Takes the last assessed change back. */
  function undo(): void {
    const last = state.runs.at(-1)
    if (last === undefined || last.plan === null) return
    forget([last])
    const runs = state.runs.slice(0, -1)
    set({ runs, plan: runs.at(-1)?.plan?.changes ?? [] })
    void loadDocument().catch(fail)
  }

  function takePlan(plan: readonly Change[]): void {
    set({ plan })
  }

  /** Without one change of those that were applied; the others are assessed anew. */
  function takeBack(change: Change): void {
    const last = state.runs.at(-1)
    if (last === undefined || last.plan === null) return
    const { release, changes } = last.plan
    const rest = changes.filter(({ what }) => what !== change.what)
    set({ plan: rest })
    if (rest.length > 0) return void run({ release, changes: rest })
    const first = state.runs.filter(({ plan }) => plan === null)
    forget(state.runs.filter((one) => !first.includes(one)))
    set({ runs: first })
    void loadDocument().catch(fail)
  }

  function setPlan(change: Change, wanted: boolean): void {
    const without = state.plan.filter(({ slot }) => slot !== change.slot)
    set({ plan: wanted ? withChange(state.plan, change) : without })
  }

  return {
    outputs: openOutputs(onChange, () => state),
    state: () => state,
    go: (step: Step) => set({ step }),
    addFiles: inTurn(addFiles),
    cancelReading,
    removeFile: inTurn(removeFile),
    loadSample: inTurn(loadSample),
    setColumnType: inTurn(setColumnType),
    choosePart: inTurn(choosePart),
    setRules,
    setRole,
    takeSuggestions,
    setAbout,
    setOption,
    typeOption,
    describe: (measure: string) => reader.ask('options', { of: measure }),
    run,
    cancel,
    selectRelease,
    setAudience,
    setPlan,
    takePlan,
    takeBack,
    tryChanges,
    stopTrying,
    undo,
    shown,
    dismiss: () => set({ problem: null }),
    fail,
  }
}

/** The same values, with signs that stay with their numbers wherever a line ends. */
function unbrokenIn<View>(view: View): View {
  return JSON.parse(unbroken(JSON.stringify(view)))
}

/** Types of columns that a file does not have are not for it; the check says that it lacks them. */
function typesFor(types: Types, info: TableInfo | null): Types {
  if (info === null) return types
  return Object.fromEntries(Object.entries(types).filter(([name]) => info.columns.some((one) => one.name === name)))
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  const dot = name.indexOf('.', 1)
  const [stem, ending] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
  const number = [...taken, ''].findIndex((_, k) => !taken.includes(`${stem} (${k + 2})${ending}`))
  return `${stem} (${number + 2})${ending}`
}

/** A file as it was looked at: what it is for, and what else it holds. */
interface Loaded {
  readonly files: readonly LoadedFile[]
  readonly releases: readonly LoadedFile[]
  readonly roles: HeldRoles
}

function allFiles({ original, releases, holdout, population, attacker }: State): readonly LoadedFile[] {
  return [original, ...releases, holdout, population, attacker].flatMap((file) => file ?? [])
}

/** What a file says of its columns. */
function rolesIn({ keys = [], numericKeys = [], targets = [], weight, household }: HeldRoles): State['roles'] {
  const as = (role: RoleName, columns: readonly string[]) => columns.map((column) => [column, role] as const)
  return Object.fromEntries([
    ...as('numeric key', numericKeys),
    ...as('target', targets),
    ...as('key', keys),
    ...as('weight', weight === undefined ? [] : [weight]),
    ...as('household', household === undefined ? [] : [household]),
  ])
}

/** What a run needs; null while a file is missing or cannot be read. */
function projectOf(state: State): Project | null {
  const { original, releases, holdout, population, attacker, rules } = state
  if (original === null || releases.length === 0) return null
  if (allFiles(state).some(({ info }) => info === null)) return null
  return {
    original: original.source,
    releases: releases.map(({ source }) => source),
    holdout: holdout?.source ?? null,
    population: population?.source ?? null,
    attacker: attacker?.source ?? null,
    rules,
    case: caseOf(state),
  }
}

/** What was said, as a Case; columns are in the order of the file, as the command line would name them. */
function caseOf(state: State): CaseInput {
  const { original, roles, attackerColumns, types, groups, type, answers, seed, choice } = state
  const columns = original?.info?.columns ?? []
  const named = (role: RoleName) => columns.flatMap(({ name }) => (roles[name] === role ? [name] : []))
  return {
    keys: named('key'),
    numericKeys: named('numeric key'),
    target: named('target'),
    weight: named('weight').at(0),
    household: named('household').at(0),
    identifier: named('identifier').at(0),
    attackerColumns,
    type: type ?? undefined,
    answers,
    types,
    group: groupTexts(groups, 'classes'),
    codes: groupTexts(groups, 'codes'),
    object: partsOf(state, 'object'),
    sheet: partsOf(state, 'sheet'),
    ...(choice.measures === null ? { profile: choice.profile } : { measures: choice.measures }),
    options: choice.options,
    seed,
  }
}

function groupTexts(groups: State['groups'], part: keyof GroupText): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([column, group]) =>
      group[part].trim() === '' ? [] : [[column, group[part].trim()]],
    ),
  )
}

/** Parts of files by name, the original's first. */
function partsOf(state: State, kind: Part['kind']): readonly string[] {
  const names = allFiles(state).flatMap(({ source: { part } }) => (part?.kind === kind ? [part.name] : []))
  return [...new Set(names)]
}
