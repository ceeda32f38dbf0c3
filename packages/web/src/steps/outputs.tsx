import engineAddress from 'scrim-worker:engine'
import type { OutputsView, Preset } from '@scrim/core'
import { OutputsBody } from '@scrim/report'
import { useEffect, useRef, useState } from 'preact/hooks'
import { save } from '../act/downloads.js'
import { type Engine, openEngine } from '../engine/client.js'
import type { SourceFile } from '../engine/protocol.js'
import { LivePicture } from '../read/live-picture.js'
import { problemsOf, type Session, type State } from '../session.js'
import { DropZone } from './drop-zone.js'
import { Problems } from './problems.js'
import { Toggles } from './toggles.js'

const PRESETS: readonly Preset[] = ['acro', 'essnet']

/** May these tables and models leave? The rules of output checking, on the data that they were made from. */
export function Outputs({ session, state }: { session: Session; state: State }) {
  const [request, setRequest] = useState<SourceFile | null>(null)
  const [own, setOwn] = useState<SourceFile | null>(null)
  const [earlier, setEarlier] = useState<readonly SourceFile[]>([])
  const [preset, setPreset] = useState<Preset>('acro')
  const [view, setView] = useState<OutputsView | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isChecking, setChecking] = useState(false)
  const engine = useRef<Engine | null>(null)
  useEffect(() => () => engine.current?.end(), [])
  const data = own ?? state.original?.source ?? null
  const check = async () => {
    if (request === null || data === null) return
    setChecking(true)
    setView(null)
    setProblems([])
    engine.current ??= openEngine(engineAddress, 'outputs')
    try {
      const types = own === null ? state.types : {}
      setView(await engine.current.ask('outputs', { request, data, types, earlier, preset }))
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setChecking(false)
  }
  const take = (name: string, kind: 'outputsHtml' | 'outputsJson', type: string) => () =>
    void engine.current?.ask(kind, {}).then((text) => save(name, text, type), session.fail)
  return (
    <>
      <h1>May these outputs leave?</h1>
      <p>
        Tables, summaries, correlations and models that were made from confidential data, by the rules of output
        checking: each alone, all together, and with what was released before.
      </p>
      <div class="zones">
        <div>
          <DropZone
            title="The request"
            hint="JSON, or the long form as CSV."
            onFiles={([file]) => setRequest(sourceOf(file))}
          />
          <p>{request?.name}</p>
        </div>
        <div>
          <DropZone
            title="The data"
            hint="That the outputs were made from."
            onFiles={([file]) => setOwn(sourceOf(file))}
          />
          <p>{data?.name}</p>
        </div>
        <div>
          <DropZone
            title="Earlier checks (optional)"
            hint="Their results as JSON: what was released before."
            many
            onFiles={(files) => setEarlier([...earlier, ...files.flatMap((file) => sourceOf(file) ?? [])])}
          />
          <p>{earlier.map(({ name }) => name).join(', ')}</p>
        </div>
      </div>
      <p>
        Limits{' '}
        <Toggles label="Limits" choices={PRESETS} chosen={preset} onChoose={(one) => one !== null && setPreset(one)} />
      </p>
      <p class="next">
        <button
          type="button"
          class="primary"
          disabled={request === null || data === null || isChecking}
          onClick={check}
        >
          {isChecking ? 'Checking …' : 'Check the outputs'}
        </button>
      </p>
      <Problems problems={problems} />
      {view === null ? null : (
        <>
          <p class="downloads">
            Take along:{' '}
            <button type="button" onClick={take('outputs.html', 'outputsHtml', 'text/html')}>
              report for the checker (HTML)
            </button>{' '}
            <button type="button" onClick={take('outputs.json', 'outputsJson', 'application/json')}>
              results (JSON)
            </button>
          </p>
          <div class="report">
            <OutputsBody view={view} pictureOf={(chart) => <LivePicture key={chart} chart={chart} />} />
          </div>
        </>
      )}
    </>
  )
}

let picked = 0

function sourceOf(file: File | undefined): SourceFile | null {
  return file === undefined ? null : { id: `output ${++picked}`, name: file.name, content: file }
}
