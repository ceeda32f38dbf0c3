// Bundles the command line into packages/cli/bundle: what a command needs is loaded when it is called, and nothing has to
// be installed beside it. Then builds the page into packages/web/dist, a folder that any web server can host, and puts a copy
// into the bundle for `scrim ui`; scrim.html there is the same in one file, for a share without a server. Run by scripts/build/ready.mjs after the build.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { build, runnerImport } from 'vite'

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../packages')
const cli = join(packages, 'cli')
const built = await rolldown({
  input: {
    main: join(cli, 'dist/main.js'),
    worker: join(cli, 'dist/worker.js'),
    'read-worker': join(cli, 'dist/read-worker.js'),
  },
  platform: 'node',
  external: /^node:/,
  logLevel: 'silent',
})
await built.write({
  dir: join(cli, 'bundle'),
  format: 'esm',
  cleanDir: true,
  // What every start needs, apart from the 2 MB around it.
  codeSplitting: { groups: [{ name: 'errors', test: /core\/dist\/errors\.js$/ }] },
  // All files lie side by side: a thread is opened from the file beside, and package.json is one folder up.
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
})
await built.close()

// What Spark runs for every partition of a table: one file, since it is sent there.
const executor = await rolldown({
  input: join(packages, 'engines/dist/scan-on-executor.js'),
  platform: 'node',
  external: /^node:/,
  logLevel: 'silent',
})
await executor.write({
  file: join(cli, 'bundle/executor.js'),
  format: 'esm',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
})
await executor.close()

const web = join(packages, 'web')
await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
cpSync(join(web, 'dist'), join(cli, 'bundle/page'), { recursive: true })
const { module: single } = await runnerImport(join(web, 'single-page.ts'))
writeFileSync(join(web, 'dist/scrim.html'), await single.singlePage())

// The packages for R and Python carry the same files but the page, so that they need nothing but Node.
const filter = (file) => file !== join(cli, 'bundle/page')
const carried = ['../r/inst/scrim', '../python/src/scrim/_engine'].map((folder) => join(packages, folder))
for (const folder of carried) {
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['bin', 'bundle', 'package.json'])
    cpSync(join(cli, part), join(folder, part), { recursive: true, filter })
}
// From it Python knows the options before anything is run.
cpSync(join(packages, '../docs/schema/case.schema.json'), join(carried[1], 'case.schema.json'))
