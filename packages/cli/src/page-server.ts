import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the page, built beside the command line. */
const PAGE = new URL('../bundle/page/', import.meta.url)

const KINDS: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export interface PageServer {
  readonly address: string
  readonly close: () => Promise<void>
}

/**
 * Serves the page to this machine only. It takes no data: whatever is not a question for one of its own files is refused, and
 * so is a question by another name than that of this machine, as a foreign page could ask it.
 */
export async function servePage(port: number, folder: string): Promise<PageServer> {
  const policy = policyOf(folder)
  const server = createServer((request, response) => answer(request, response, folder, policy))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${taken}/`, close: () => closed(server) }
}

export const pageFolder = (): string => fileURLToPath(PAGE)

/** What the page itself says it may do goes with every file, so that it holds from the first byte. */
function policyOf(folder: string): string {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'"
}

function answer(request: IncomingMessage, response: ServerResponse, folder: string, policy: string): void {
  const headers = {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Isolated from other sites, its threads may share memory.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cache-Control': 'no-store',
  }
  const refuse = (code: number, why: string) => response.writeHead(code, headers).end(`${why}\n`)
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return void refuse(403, 'not for this name')
  if (request.method !== 'GET' && request.method !== 'HEAD') return void refuse(405, 'nothing is taken here')
  const path = pathOf(request.url ?? '/')
  const kind = path === null ? undefined : KINDS[extname(path)]
  if (path === null || kind === undefined) return void refuse(404, 'there is no such file')
  try {
    const content = readFileSync(join(folder, path))
    response.writeHead(200, { ...headers, 'Content-Type': kind }).end(request.method === 'HEAD' ? undefined : content)
  } catch {
    refuse(404, 'there is no such file')
  }
}

/** Inside the folder, or null. */
function pathOf(asked: string): string | null {
  try {
    const written = decodeURIComponent(asked.replace(/[?#].*/, ''))
    const path = normalize(written === '/' ? '/index.html' : written)
    return path.split(sep).includes('..') || written.split(/[\\/]/).includes('..') ? null : path
  } catch {
    return null
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
