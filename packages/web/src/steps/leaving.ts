import type { Session } from '../session.js'
import { addOutputFiles } from './outputs.js'

/**
 * Files that are dropped beside a place for them: the first becomes the original where there is none, others are releases; in the
 * check of outputs they are the request and the data. Without this the browser would leave the page and show the file.
 */
export function dropAnywhere(session: Session): () => void {
  const over = (event: DragEvent) => event.preventDefault()
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    const { step, original } = session.state()
    if (files.length === 0) return
    if (step === 'outputs') return addOutputFiles(session.outputs, files)
    session.go('data')
    const [first, ...rest] = files
    if (original === null) void session.addFiles('original', [first])
    void session.addFiles('release', original === null ? rest : files)
  }
  addEventListener('dragover', over)
  addEventListener('drop', drop)
  return () => {
    removeEventListener('dragover', over)
    removeEventListener('drop', drop)
  }
}

/** Whether leaving the page would lose something: files that somebody chose, or an answer. */
export function hasWork(session: Session): boolean {
  const { original, releases, runs } = session.state()
  return original !== null || releases.length > 0 || runs.length > 0 || session.outputs.state().request !== null
}

export function warnBeforeLeaving(wouldLose: () => boolean): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (wouldLose()) event.preventDefault()
  }
  addEventListener('beforeunload', warn)
  return () => removeEventListener('beforeunload', warn)
}
