import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { build, type Plugin } from 'vite'
import { policyWith } from './policy.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

const oneScript: Plugin = {
  name: 'one-script',
  enforce: 'pre',
  resolveId(id) {
    if (id.startsWith('scrim-worker:')) return `\0${id}`
    if (id.endsWith('/open-worker.js')) return new URL('src/engine/open-worker-single.ts', import.meta.url).pathname
    return null
  },
  load: (id) => (id.startsWith('\0scrim-worker:') ? `export default ''` : null),
}

/** The page as one file, as text. */
export async function singlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [oneScript],
    define: { SCRIM_VERSION: JSON.stringify(version) },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 5000,
      rollupOptions: {
        input: new URL('src/single.ts', import.meta.url).pathname,
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const script = outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : [])).join('\n')
  const style = outputs.flatMap((one) => (one.type === 'asset' ? [String(one.source)] : [])).join('\n')
  // A text in the script that ends it would end it for the browser, too.
  const safe = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const hash = createHash('sha256').update(safe).digest('base64')
  return readFileSync(new URL('index.html', import.meta.url), 'utf8')
    .replace('%POLICY%', policyWith(`'sha256-${hash}'`))
    .replace('</head>', () => `<style>${style}</style></head>`)
    .replace(/<script type="module".*<\/script>/, () => `<script id="scrim">${safe}</script>`)
}
