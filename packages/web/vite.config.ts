import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { POLICY } from './policy.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

/** `scrim-worker:NAME` is the address of `src/engine/NAME.ts`, built beside the page so that both share their parts. */
const workers: Plugin = {
  name: 'workers',
  resolveId: (id) => (id.startsWith('scrim-worker:') ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith('\0scrim-worker:')) return null
    const name = id.slice('\0scrim-worker:'.length)
    const reference = this.emitFile({
      type: 'chunk',
      id: new URL(`src/engine/${name}.ts`, import.meta.url).pathname,
      name,
    })
    return `export default import.meta.ROLLUP_FILE_URL_${reference}`
  },
}

const policy: Plugin = {
  name: 'policy',
  transformIndexHtml: (html) => html.replace('%POLICY%', POLICY),
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative: the folder works wherever it is put.
  base: './',
  plugins: [workers, policy],
  define: { SCRIM_VERSION: JSON.stringify(version) },
  build: {
    target: 'es2022',
    // Its helper looks for the document, which a worker has not.
    modulePreload: false,
    chunkSizeWarningLimit: 3000,
    emptyOutDir: true,
  },
})
