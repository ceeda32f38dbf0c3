import { expect, it } from 'vitest'
import { parseArguments } from './arguments.js'
import { commandLine } from './command-line.js'

const FLAGS = {
  html: { value: 'FILE', help: '' },
  seed: { value: 'N', help: '' },
  synthesizer: { value: 'M', help: '' },
  set: { value: 'a=b', repeat: true, help: '' },
}
const WORDS =
  "/data/secret/o.csv r.csv --html=out/r.html --seed 3 --set synthesizer.seed=99 --synthesizer 'command:./make --seed 99'"
const args = parseArguments(
  [...WORDS.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", '')),
  FLAGS,
)

it('names neither folders nor the seed of a synthesis to readers outside', () => {
  const shown = commandLine('assess', args, 'publishable')
  expect(shown).toContain('scrim assess o.csv r.csv --html=r.html --seed 3')
  expect(shown).not.toMatch(/99|secret/)
})

it('is the command as typed inside', () => {
  expect(commandLine('assess', args, 'internal')).toContain('/data/secret/o.csv r.csv --html=out/r.html')
})
