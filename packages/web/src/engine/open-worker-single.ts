/** As `open-worker.ts` where the page is one file: a worker is opened from the script that stands in the page. */
let script: string | undefined

export function openWorker(_address: string, name: string): Worker {
  script ??= 'document' in globalThis ? scriptInPage() : location.href
  return new Worker(script, { name })
}

function scriptInPage(): string {
  const text = document.getElementById('scrim')?.textContent ?? ''
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
}
