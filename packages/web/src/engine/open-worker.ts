/**
 * Opens a worker from a blob that does nothing but load the script: only so does it inherit the policy of the page, which lets
 * nothing connect to anywhere else, whatever headers the server sends.
 */
export function openWorker(address: string, name: string): Worker {
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)}`], { type: 'text/javascript' }))
  return new Worker(script, { type: 'module', name })
}
