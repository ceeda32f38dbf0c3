// Writes what every face is asked alike into a folder, one folder each: the tables as CSV, what is said about them, and the answer of
// the library. `node scripts/build/same-answers.mjs FOLDER`; run by scripts/build/test-python.mjs.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const cases = join(dirname(fileURLToPath(import.meta.url)), '../../packages/cli/src/testing/same-answer-cases.ts')
const { module } = await runnerImport(cases)
for (const [k, [name, asked]] of Object.entries(module.CASES).entries()) {
  const folder = join(process.argv[2], `case-${k}`)
  module.writeCase(folder, asked)
  writeFileSync(join(folder, 'answer.json'), JSON.stringify({ name, answer: await module.byLibrary(asked) }))
}
