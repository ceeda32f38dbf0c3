/**
 * As `open-worker.ts` where the page is one file: a worker is opened from the script that stands in the page. Opened from a disk,
 * page and workers are strangers to each other and cannot load each other's blobs, so that a worker carries the script as text
 * for those that it opens itself.
 */
declare let scrimScript: string | undefined

let address: string | undefined

export function openWorker(_: string, name: string): Worker {
  address ??= URL.createObjectURL(new Blob(script(), { type: 'text/javascript' }))
  return new Worker(address, { name })
}

function script(): string[] {
  if (!('document' in globalThis)) return [scrimScript ?? '']
  const text = document.getElementById('scrim')?.textContent ?? ''
  return [`globalThis.scrimScript=${JSON.stringify(text)};`, text]
}
