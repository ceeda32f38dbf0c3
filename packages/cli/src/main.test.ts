import { measures } from '@scrim/core'
import { expect, it } from 'vitest'
import { COMMANDS } from './commands.js'
import { main } from './main.js'
import { workplace } from './testing/run.js'

it('prints its version', async () => {
  const { code, out, err } = await workplace().run('--version')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it.each(['--help', 'help', '-h'])('%s lists the commands', async (argument) => {
  const { code, out } = await workplace().run(argument)
  expect(code).toBe(0)
  for (const name of ['measures', 'measure', 'assess', 'simulate', 'study', 'demo'])
    expect(out).toContain(`\n  ${name} `)
})

it.each(['measures', 'measure', 'assess', 'simulate', 'study', 'demo'])(
  '%s has a help text with examples, reached in three ways',
  async (name) => {
    const { run } = workplace()
    const { code, out } = await run(`help ${name}`)
    expect(code).toBe(0)
    expect(out).toContain(`usage: scrim ${name}`)
    expect(out).toMatch(new RegExp(`examples:\\n {2}scrim ${name}`))
    expect((await run(`${name} --help`)).out).toBe(out)
    expect((await run(`${name} whatever -h`)).out).toBe(out)
  },
)

it('has a short help, and a long one with every option', async () => {
  const { run } = workplace()
  const [short, long] = [await run('assess --help'), await run('assess --help-all')]
  for (const flag of ['--keys', '--holdout', '--html']) expect(short.out).toContain(flag)
  expect(short.out).not.toContain('--missing-tokens')
  expect(short.out).toMatch(/\d+ more, .*: scrim assess --help-all/)
  expect(long.out).toContain('--missing-tokens')
})

it('has commands and options in groups', async () => {
  const { run } = workplace()
  const headings = (text: string) => text.split('\n').filter((line) => /^[a-z, ]+:$/.test(line))
  expect(headings((await run('--help')).out)).toEqual([
    'getting started:',
    'releases:',
    'models, tables and other outputs:',
    'making data:',
    'pipelines, clusters and databases:',
    'more:',
  ])
  expect(headings((await run('assess --help-all')).out)).toEqual([
    'files and columns:',
    'options:',
    'reading files:',
    'running:',
    'output:',
    'every command:',
    'examples:',
  ])
})

it('--force is there only where something is written', async () => {
  const { run } = workplace()
  expect((await run('assess --help')).out).toContain('--force')
  expect((await run('measures --help')).out).not.toContain('--force')
  expect(await run('measures --force')).toMatchObject({ code: 2 })
  expect((await run('anonymise --help')).out).toContain('--safe-csv')
  expect((await run('assess --help')).out).not.toContain('--safe-csv')
})

it('explains a measure and its options', async () => {
  const { code, out } = await workplace().run('help k-anonymity')
  expect(code).toBe(0)
  expect(out).toContain('smallest class size that is acceptable')
  expect(out).toContain('usage: scrim measure k-anonymity ORIGINAL RELEASED... --keys a,b')
})

it('names the few nearest topics, not all of them', async () => {
  const { code, err } = await workplace().run('help anonymity')
  expect(code).toBe(2)
  expect(err).toMatch(/^scrim: unknown command or measure "anonymity"; did you mean|the nearest are: .*k-anonymity/)
  const far = await workplace().run('help disclosure-of-attributes')
  expect(far.err).toMatch(/the nearest are: disclosure(, [a-z0-9-]+){4}\n$/)
})

it('says how to use it when called with nothing', async () => {
  const { code, out, err } = await workplace().run('')
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('usage: scrim COMMAND')
})

it('lists every measure with what it needs', async () => {
  const { code, out } = await workplace().run('measures')
  expect(code).toBe(0)
  for (const { id, needs, role, threat } of measures)
    expect(out).toMatch(new RegExp(`^${id} +${needs.join(', ') || 'nothing'} .* ${role} +${threat ?? '-'}$`, 'm'))
})

it('lists the measures as JSON, with options and defaults', async () => {
  const { out } = await workplace().run('measures --json')
  const list = JSON.parse(out) as { id: string; options: { name: string; default: unknown }[] }[]
  expect(list.map(({ id }) => id)).toEqual(measures.map(({ id }) => id))
  expect(list.find(({ id }) => id === 'k-anonymity')?.options).toContainEqual(
    expect.objectContaining({ name: 'k', default: 5 }),
  )
})

it('calls its own mistakes bugs, with the stack on request only', async () => {
  const broken = (err: (text: string) => void) => ({
    out: () => {
      throw new TypeError('pipe is full')
    },
    err,
    status: err,
    data: () => {},
    stdin: () => new Uint8Array(),
    force: false,
    safeCsv: false,
    terminal: false,
    color: false,
    face: 'shell' as const,
    columns: 80,
    cwd: '.',
    cache: '.',
    interruption: () => new AbortController().signal,
  })
  const run = async (...argv: string[]) => {
    let err = ''
    const code = await main(
      argv,
      broken((text) => {
        err += text
      }),
    )
    return { code, err }
  }
  expect(await run('measures')).toEqual({
    code: 1,
    err: 'scrim: pipe is full\nscrim: this is a bug in scrim; run again with --debug and report what it prints\n',
  })
  expect((await run('measures', '--debug')).err).toMatch(/ at .*main/)
})

it.each(['', 'help', 'help assess', 'help check', 'help study', 'help dcap', 'measures', 'anonymise --list'])(
  'scrim %s keeps to 80 columns, but for commands to copy',
  async (command) => {
    const { out, err } = await workplace().run(command, { columns: 80 })
    expect((out + err).split('\n').filter((line) => line.length > 80 && !line.startsWith('  scrim '))).toEqual([])
  },
)

it('examples of the help are quoted for a shell', async () => {
  for (const { load } of COMMANDS)
    for (const example of (await load()).examples)
      expect(example.replaceAll(/'[^']*'|"[^"]*"/g, '').replace(/ \| head$/, ''), example).not.toMatch(/[|<>;&{}*?]/)
})
