import type { ReleaseType } from '@scrim/core'
import { count, share } from '../numbers.js'
import { Glossed } from '../read/glossary.js'
import type { RoleName, Session, State } from '../session.js'
import { Groups } from './groups.js'
import { Problems, Warnings } from './problems.js'
import { Toggles } from './toggles.js'

const ROLES: readonly RoleName[] = ['key', 'target', 'numeric key', 'weight', 'household', 'identifier']

const TYPES: readonly ReleaseType[] = ['synthetic', 'perturbed', 'unknown']
const TYPE_TITLES = {
  synthetic: 'synthetic: new records',
  perturbed: 'perturbed: row i comes from row i',
  unknown: 'not known',
} as const

/** What an attacker knows, and what they want to learn. */
export function RolesStep({ session, state }: { session: Session; state: State }) {
  const { original, checked, roles } = state
  const columns = original?.info?.columns ?? []
  const hasKeys = Object.values(roles).includes('key')
  const hasTarget = Object.values(roles).includes('target')
  return (
    <>
      <h1>What could somebody know, and what would they learn?</h1>
      <p>
        <Glossed term="key">Keys</Glossed> are what an attacker may know about a person; a{' '}
        <Glossed term="target">target</Glossed> is what they want to learn. Other columns need no role.
      </p>
      <p>
        <button type="button" disabled={!state.suggestions?.length} onClick={session.takeSuggestions}>
          {state.suggestions === null ? 'Looking for suggestions …' : 'Take the suggestions'}
        </button>{' '}
        <span class="grey">
          guesses from names and from how many people a column singles out; say yes or no to each
        </span>
      </p>
      <table class="roles">
        <caption>Columns of {original?.source.name}</caption>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">role</th>
            <th scope="col">what it is</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, kind, distinct, missing }) => (
            <tr key={name} class={roles[name] === undefined ? '' : 'chosen'}>
              <th scope="row">{name}</th>
              <td data-head="role">
                <Toggles
                  label={`Role of ${name}`}
                  choices={ROLES}
                  chosen={roles[name] ?? null}
                  isOptional
                  onChoose={(role) => session.setRole(name, role)}
                />
              </td>
              <td data-head="what it is" class="grey">
                {kind}, {count(distinct)} different{missing > 0 ? `, ${count(missing)} missing` : ''}
                <Suggested state={state} column={name} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Groups session={session} state={state} />
      <h2>How was the release made?</h2>
      <Toggles
        label="How the release was made"
        choices={TYPES}
        chosen={state.type ?? checked?.type ?? null}
        titles={TYPE_TITLES}
        onChoose={(type) => session.setAbout({ type })}
      />
      <Checks session={session} state={state} />
      {hasKeys && hasTarget ? null : (
        <p class="hint">
          {hasKeys ? '' : 'Without keys attribute inference is not tested. '}
          {hasTarget ? '' : 'Without a target nobody can say what an attacker learns. '}
          Memorisation is tested all the same.
        </p>
      )}
      <p class="next">
        <button
          type="button"
          class="primary"
          disabled={checked === null || state.isChecking || checked.problems.length > 0}
          onClick={() => session.go('run')}
        >
          Next: run
        </button>
        <span class="grey" role="status">
          {state.isChecking ? ' Looking at the files …' : ''}
        </span>
      </p>
    </>
  )
}

function Suggested({ state: { suggestions }, column }: { state: State; column: string }) {
  const found = suggestions?.find((one) => one.column === column)
  if (found === undefined) return null
  const { role, reason, added } = found
  return (
    <div class="small">
      {role}? {reason}
      {added === null || added <= 0 ? '' : `; with it ${share(added)} more people are unique`}
    </div>
  )
}

/** What is wrong with files and roles, and what only a person can answer. */
export function Checks({ session, state: { checked, answers } }: { session: Session; state: State }) {
  if (checked === null) return null
  return (
    <>
      <Problems problems={checked.problems} />
      {checked.questions.map(({ id, column, file, answers: choices }) => (
        <p key={id}>
          {column} in {file}: are these the same values as in the original?{' '}
          <Toggles
            label={`Are the values of ${column} in ${file} the same as in the original?`}
            choices={choices}
            chosen={answers[id] ?? null}
            onChoose={(said) => said !== null && session.setAbout({ answers: { ...answers, [id]: said } })}
          />
        </p>
      ))}
      <Warnings warnings={checked.warnings} />
    </>
  )
}
