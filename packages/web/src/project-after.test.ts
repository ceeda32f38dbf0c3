import { expect, it } from 'vitest'
import { configOf } from './engine/config.js'
import type { Plan, Project, SourceFile } from './engine/protocol.js'
import { projectAfter } from './project-after.js'

const file = (name: string): SourceFile => ({ id: name, name, content: new Blob([]) })
const project: Project = {
  original: file('o.csv'),
  releases: [file('r.csv')],
  holdout: file('h.csv'),
  population: null,
  attacker: file('a.csv'),
  rules: file('rules.txt'),
  case: { keys: ['sex', 'age'], target: 'ill', group: { age: '10' }, types: { zip: { kind: 'categorical' } } },
}
const plan = {
  changes: [{ method: 'recode', options: { groups: { age: 10 }, merge: { zip: {} } } }],
} as unknown as Plan

it('forgets of recoded columns what no longer holds, and files that no longer fit', () => {
  const after = projectAfter(project, plan)
  expect(after).toMatchObject({ attacker: null, rules: null, case: { keys: ['sex', 'age'], group: {}, types: {} } })
  expect(projectAfter(project, { ...plan, changes: [] }).case).toMatchObject(project.case)
})

it('writes the Case that repeats a run, with what was said and nothing else', () => {
  expect(JSON.parse(configOf({ project, plan: null, made: [] }))).toEqual({
    ...project.case,
    holdout: 'h.csv',
    attacker: 'a.csv',
    rules: 'rules.txt',
  })
  const made = [{ role: 'holdout', name: 'h-recoded.csv', content: new Blob([]) } as const]
  expect(JSON.parse(configOf({ project, plan, made }))).toEqual({
    keys: ['sex', 'age'],
    target: 'ill',
    holdout: 'h-recoded.csv',
  })
})
