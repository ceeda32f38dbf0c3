import { carryOut, openCase, proposals, readTable, toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { describe, expect, it } from 'vitest'
import { processIo } from '../../io.js'
import { parseArguments } from '../../options/arguments.js'
import { RELEASE_FLAGS } from '../../options/case-flags.js'
import { readCase } from '../../options/config.js'
import { adviceCommands } from '../../printing/advice/advice-commands.js'
import { shellText } from '../../shell.js'
import { workplace } from '../../testing/run.js'

const people = simulateHealth({ n: 60, kappa: 10, seed: 1 })
const HEALTH = { 'original.csv': toCsv(people), 'released.csv': toCsv({ ...people, name: 'released.csv' }) }
const ROLES = '--keys gender,age,education --target disease_status --type synthetic'

describe('the commands', () => {
  it('make every kind of change byte for byte', async () => {
    const { run, read, folder } = workplace(HEALTH)
    const asRead = (name: string) => readTable(name, new TextEncoder().encode(read(name)))
    const files = {
      original: await asRead('original.csv'),
      released: await asRead('released.csv'),
      holdout: undefined,
      population: undefined,
    }
    const keys = ['gender', 'age', 'education']
    const { release } = openCase({ keys, target: 'disease_status', type: 'synthetic', synthesizer: 'cart' }, files)
    const changes = proposals(release, files).filter(({ first }) => first)
    const methods = new Set(changes.map(({ method }) => method))
    expect([...methods].sort()).toEqual(['cart', 'local-suppression', 'noise', 'pram', 'recode', 'sdc', 'top-coding'])
    const candidate = await carryOut(changes, files, {
      seed: 7,
      roles: { keys, numericKeys: [], weight: null, household: null },
    })
    const args = parseArguments(ROLES.split(' '), RELEASE_FLAGS)
    const asked = readCase(args, { ...processIo(), cwd: folder })
    const place = { original: 'original.csv', released: 'released.csv', out: 'out.csv', originalTable: files.original }
    const { make, assess } = adviceCommands({ candidate, seed: 7, plan: changes }, place, args, asked)
    for (const [k, words] of make.entries()) {
      expect(await run(shellText(words.slice(1)))).toMatchObject({ code: 0, err: '' })
      const file = k === make.length - 1 ? 'out.csv' : `out-step${k + 1}.csv`
      expect(read(file)).toBe(toCsv(candidate.made[k].written))
    }
    for (const words of assess.slice(0, -1)) expect(await run(shellText(words.slice(1)))).toMatchObject({ code: 0 })
    expect(await readTable('original.csv', new TextEncoder().encode(read('original-coarse.csv')))).toEqual(
      candidate.files.original,
    )
    expect(shellText(assess[assess.length - 1])).toBe(`scrim assess original-coarse.csv out.csv ${ROLES}`)
  })
})

describe('scrim advise', () => {
  it('says what each change buys and costs, and writes the release that it recommends', async () => {
    const { run, read, files } = workplace(HEALTH)
    const { code, out, err } = await run(
      `advise original.csv released.csv ${ROLES} --trials 1 --release-seed 5 --threads 1 --set tstr.resamples=4 --set regression-fidelity.resamples=4 -o safer.csv --json advice.json`,
      { columns: 80 },
    )
    expect([code, err]).toEqual([0, ''])
    const advice = JSON.parse(read('advice.json'))
    expect(advice.release.verdict).toBe('HIGH')
    expect(advice.tried).toHaveLength(1)
    for (const { utility, utilityChange } of advice.tried) {
      expect(utility.score).toBeGreaterThanOrEqual(0)
      expect(utilityChange.lower).toBeLessThanOrEqual(utilityChange.value)
    }
    expect(out).toContain('released.csv as it is: HIGH')
    expect(out).toMatch(/change +verdict +heaviest +leakage +utility/)
    expect(files().includes('safer.csv')).toBe(advice.recommended !== null)
    if (advice.recommended === null) return
    expect(out).toContain('It was written to safer.csv.')
    const [first] = advice.confirmed[0].commands.make
    expect(await run(`${first.replace('scrim ', '').replace('safer.csv', 'again.csv')}`)).toMatchObject({ code: 0 })
    expect(read('again.csv')).toBe(read('safer.csv'))
  })

  it('names the heaviest threat as assess does, and says what a budget that is too small should be', async () => {
    const { run } = workplace(HEALTH)
    const { out } = await run(`advise original.csv released.csv ${ROLES} --budget 0.001 --threads 1 --json -`)
    const { worst, threats } = JSON.parse(out).release
    const high = threats.filter(({ level }: { level: string }) => level === 'HIGH')
    expect(worst.leakage).toBe(Math.max(...high.map(({ leakage }: { leakage: number }) => leakage)))
    const told = await run(`advise original.csv released.csv ${ROLES} --budget 0.001 --threads 1`)
    expect(told.out).toMatch(/Nothing was tried: .* --budget \d+ leaves room for/s)
  })

  it('tells mistakes before it computes, and stops at Ctrl-C', async () => {
    const { run } = workplace(HEALTH)
    expect(await run('advise original.csv')).toMatchObject({ code: 2 })
    expect((await run('advise original.csv released.csv --keys gender --trials 0')).err).toContain(
      '--trials must be at least 1',
    )
    expect((await run('advise original.csv released.csv --keys gender -o original.csv')).err).toContain(
      'it is read as an input',
    )
    const stopped = await run(`advise original.csv released.csv ${ROLES}`, { signal: AbortSignal.abort() })
    expect([stopped.code, stopped.out]).toEqual([130, ''])
  })
})
