import type { Session, State } from '../session.js'
import { configOf } from './config.js'

/** Everything that can be taken along. */
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
  const config = take(async () => {
    const made = await engine.ask('files', {})
    const recoded = made.find(({ role }) => role === 'holdout')?.name
    const project = { ...run.project, types: await typesOf(run, made.length > 0) }
    save('scrim.json', configOf({ ...run, project }, recoded ?? run.project.holdout?.name ?? null), 'application/json')
  })
  const files = take(async () => {
    for (const file of await engine.ask('files', {})) save(file.name, file.content, 'text/csv')
  })
  return (
    <p class="downloads">
      Take along:{' '}
      <button type="button" onClick={html}>
        report (HTML)
      </button>{' '}
      <button type="button" onClick={json}>
        results (JSON)
      </button>{' '}
      <button type="button" onClick={config}>
        configuration
      </button>{' '}
      {run.plan === null ? null : (
        <button type="button" onClick={files}>
          changed release (CSV)
        </button>
      )}
    </p>
  )
}

/** Columns that a plan recoded are no longer what they were declared to be. */
async function typesOf({ project, plan }: NonNullable<ReturnType<Session['shown']>>['run'], isMade: boolean) {
  if (!isMade || plan === null) return project.types
  const recoded = plan.changes.flatMap(({ method, options }) =>
    method === 'recode' ? [options.groups, options.merge].flatMap((rules) => Object.keys((rules ?? {}) as object)) : [],
  )
  return Object.fromEntries(Object.entries(project.types).filter(([name]) => !recoded.includes(name)))
}

export function save(name: string, content: string | Blob, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
