import type { Session, State } from './session.js'

/** Everything that can be downloaded. */
export function Downloads({ session, state }: { session: Session; state: State }) {
  const shown = session.shown()
  if (shown === null) return null
  const { run, engine } = shown
  const name = run.plan === null ? 'assessment' : 'assessment-changed'
  const take = (make: () => Promise<void>) => () => void make().catch(session.fail)
  const html = take(async () =>
    save('report.html', await engine.ask('html', { audience: state.audience }), 'text/html'),
  )
  const json = take(async () => save(`${name}.json`, await engine.ask('json', {}), 'application/json'))
  const config = take(async () => save('scrim.json', await engine.ask('config', {}), 'application/json'))
  const files = take(async () => {
    for (const file of await engine.ask('files', {})) save(file.name, file.content, 'text/csv')
  })
  return (
    <span class="downloads">
      <span class="grey">Download</span>
      <button type="button" onClick={html}>
        Report (HTML)
      </button>
      <button type="button" onClick={json}>
        Results (JSON)
      </button>
      <button type="button" onClick={config}>
        Configuration
      </button>
      {run.plan === null ? null : (
        <button type="button" onClick={files}>
          Changed release (CSV)
        </button>
      )}
    </span>
  )
}

export function save(name: string, content: string | Blob, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
