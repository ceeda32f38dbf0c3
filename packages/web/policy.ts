/**
 * What the page may do: load itself, run itself in workers, draw. It may connect to nothing but where it came from, so that no
 * data can leave. Workers are opened from a blob, because only so do they inherit this policy whatever a server says.
 */
export function policyWith(script: string): string {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

export const POLICY = policyWith("'self'")
