import engineAddress from 'scrim-worker:engine'
import { type Json, type OutputsView, type Preset, USUAL_SECONDS } from '@scrim/core'
import { type Engine, openEngine, PATIENCE } from './engine/client.js'
import type { OptionValues, OutputsQuestion, SourceFile, SourceFolder } from './engine/protocol.js'
import { problemsOf } from './problems.js'
import type { State } from './session.js'

/** A check of outputs: what is asked, how far it is, what was found. Rules answer at once; what is measured comes after them. */
export interface OutputsState {
  readonly request: SourceFile | SourceFolder | null
  /** Instead of the original, and of the people outside, of the other steps. */
  readonly data: SourceFile | null
  readonly holdout: SourceFile | 'nobody' | null
  readonly earlier: readonly SourceFile[]
  readonly preset: Preset
  readonly limits: OptionValues
  readonly isMeasured: boolean
  readonly seconds: number
  readonly options: OptionValues
  readonly phase: 'rules' | 'risk' | 'stopping' | null
  readonly at: { readonly what: string; readonly share: number } | null
  readonly view: OutputsView | null
  readonly isCancelled: boolean
  readonly problems: readonly string[]
}

const NOTHING: OutputsState = {
  request: null,
  data: null,
  holdout: null,
  earlier: [],
  preset: 'acro',
  limits: {},
  isMeasured: true,
  seconds: USUAL_SECONDS,
  options: {},
  phase: null,
  at: null,
  view: null,
  isCancelled: false,
  problems: [],
}

export type OutputsSession = ReturnType<typeof openOutputs>

export function openOutputs(onChange: () => void, shared: () => State) {
  let state = NOTHING
  let engine: Engine | null = null
  const set = (part: Partial<OutputsState>) => {
    state = { ...state, ...part }
    onChange()
  }
  const worker = () => {
    engine ??= openEngine(engineAddress, 'outputs')
    return engine
  }

  /** The files: those of the other steps unless others were given here. */
  function files(): { readonly data: SourceFile | null; readonly holdout: SourceFile | null } {
    const { original, holdout } = shared()
    const isOwn = state.data !== null
    const outside = state.holdout ?? (isOwn ? null : holdout?.source) ?? null
    return { data: isOwn ? state.data : (original?.source ?? null), holdout: outside === 'nobody' ? null : outside }
  }

  function question(): OutputsQuestion | null {
    const { request, earlier, preset, limits } = state
    const { data, holdout } = files()
    if (request === null || data === null) return null
    return { request, data, holdout, types: state.data === null ? shared().types : {}, earlier, preset, limits }
  }

  async function check(): Promise<void> {
    const asked = question()
    if (asked === null) return
    set({ phase: 'rules', view: null, at: null, isCancelled: false, problems: [] })
    try {
      set({ view: await worker().ask('outputs', asked) })
      if (state.isMeasured) await measure(asked)
    } catch (error) {
      set({ problems: problemsOf(error) })
    }
    set({ phase: null, at: null })
  }

  async function measure(asked: OutputsQuestion): Promise<void> {
    set({ phase: 'risk' })
    const { seconds, options } = state
    try {
      const view = await worker().ask('outputRisk', { seed: shared().seed, seconds, options }, (at) => {
        if (at.kind === 'search') set({ at: { what: at.what, share: at.done / at.total } })
      })
      set(view === null ? { isCancelled: true } : { view })
    } catch (error) {
      if (state.phase !== 'stopping') throw error
      // Its worker was ended; another answers by the rules, so that their result can still be downloaded.
      await worker().ask('outputs', asked)
      set({ isCancelled: true })
    }
  }

  function cancel(): void {
    set({ phase: 'stopping' })
    const asked = engine
    asked?.cancel()
    setTimeout(() => {
      if (state.phase !== 'stopping' || engine !== asked) return
      engine = null
      asked?.end()
    }, PATIENCE)
  }

  return {
    state: () => state,
    files,
    set: (part: Partial<OutputsState>) => set(part),
    setOption: (of: 'limits' | 'options', name: string, value: Json | undefined) => {
      const { [name]: _, ...others } = state[of]
      set({ [of]: value === undefined ? others : { ...others, [name]: value } })
    },
    describe: (of: string) => worker().ask('options', { of }),
    take: (kind: 'outputsHtml' | 'outputsJson') => worker().ask(kind, {}),
    check,
    cancel,
  }
}
