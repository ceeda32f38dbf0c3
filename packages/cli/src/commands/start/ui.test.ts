import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PageServer, servePage } from '../../page-server.js'
import { workplace } from '../../testing/run.js'

describe('the server of the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-page-'))
  let server: PageServer

  beforeAll(async () => {
    mkdirSync(join(folder, 'page/assets'), { recursive: true })
    writeFileSync(join(folder, 'secret.html'), 'not for you')
    const policy = `default-src 'none'; connect-src 'self'`
    writeFileSync(
      join(folder, 'page/index.html'),
      `<meta http-equiv="Content-Security-Policy" content="${policy}" /><p>the page`,
    )
    writeFileSync(join(folder, 'page/assets/a.js'), 'export {}')
    server = await servePage(0, join(folder, 'page'))
  })

  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  /** As anybody may ask, paths as they are written. */
  const ask = (path: string, how: { method?: string; host?: string } = {}) =>
    new Promise<{ code: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>((done, fail) => {
      const { hostname, port, host } = new URL(server.address)
      request(
        { hostname, port, path, method: how.method ?? 'GET', headers: { host: how.host ?? host } },
        (response) => {
          let text = ''
          response.on('data', (part) => {
            text += part
          })
          response.on('end', () => done({ code: response.statusCode, headers: response.headers, text }))
        },
      )
        .on('error', fail)
        .end()
    })

  it('gives its files to this machine, with the policy of the page', async () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const { code, headers, text } = await ask('/')
    expect([code, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
    expect(text).toContain('the page')
    expect((await ask('/assets/a.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await ask('/', { method: 'HEAD' })).text).toBe('')
  })

  it.each([
    ['a file that is not there', '/assets/b.js', {}, 404],
    ['a folder', '/assets', {}, 404],
    ['a way out of the folder', '/../secret.html', {}, 404],
    ['the same in disguise', '/%2e%2e/secret.html', {}, 404],
    ['the same with a slash in disguise', '/..%2fsecret.html', {}, 404],
    ['an address that is none', '/%E0%A4%A.html', {}, 404],
    ['data', '/', { method: 'POST' }, 405],
    ['another name for this machine', '/', { host: 'elsewhere.example' }, 403],
  ])('refuses %s', async (_, path, how, code) => {
    const found = await ask(path, how)
    expect(found.code).toBe(code)
    expect(found.text).not.toContain('not for you')
  })
})

describe('scrim ui', () => {
  it('says where the page is, and ends when it is interrupted', async () => {
    const { code, out } = await workplace().run('ui --no-open', { signal: AbortSignal.abort() })
    expect(code).toBe(0)
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+\//)
  })

  it.each([
    ['ui original.csv', 'unexpected argument "original.csv"; files are opened in the page'],
    ['ui --port 70000', '--port must be from 0 to 65535, but it is 70000'],
    ['ui --port x', '--port'],
  ])('%s: says what is wrong', async (command, problem) => {
    const { code, err } = await workplace().run(command)
    expect(code).toBe(2)
    expect(err).toContain(problem)
  })
})
