import type { ReleaseType } from '@scrim/core'
import type { ColumnInfo, SuggestedRole } from '../engine/protocol.js'
import { count, share } from '../numbers.js'
import { Glossed } from '../read/glossary.js'
import type { RoleName, Session, State } from '../session.js'
import { KIND_TITLES } from './data.js'
import { Groups } from './groups.js'
import { Problems, Reason, Warnings } from './problems.js'
import { whyNotRun } from './ready.js'
import { Toggles } from './toggles.js'

const USUAL: readonly RoleName[] = ['key', 'target']
const RARE: readonly RoleName[] = ['numeric key', 'weight', 'household', 'identifier']

/** What the rare ones are, where they are chosen. */
const MEANINGS: Readonly<Partial<Record<RoleName, string>>> = {
  'numeric key': 'a number that an attacker knows, though perhaps not exactly',
  weight: 'how many people of the population a record stands for',
  household: 'records with the same value live together',
  identifier: 'says which person a record of the attacker’s file is about',
}

const TYPES: readonly ReleaseType[] = ['synthetic', 'perturbed', 'unknown']
const TYPE_TITLES = {
  synthetic: 'synthetic: new records',
  perturbed: 'perturbed: row by row from the original',
  unknown: 'not known',
} as const

/** What an attacker knows, and what they want to learn. */
export function RolesStep({ session, state }: { session: Session; state: State }) {
  const { original, checked, roles, suggestions } = state
  const columns = original?.info?.columns ?? []
  const hasKeys = Object.values(roles).includes('key')
  const hasTarget = Object.values(roles).includes('target')
  const reason = whyNotRun(state)
  const isTaken = suggestions?.every(({ column, role }) => isSame(roles[column], role)) ?? false
  return (
    <>
      <h1>What might an attacker know, and what could they learn?</h1>
      <p>
        A <Glossed term="key">key</Glossed> is something an attacker may know about a person; a{' '}
        <Glossed term="target">target</Glossed> is what they want to learn. Other columns need no role.
      </p>
      <p class="hinted">
        <button type="button" disabled={!suggestions?.length || isTaken} onClick={session.takeSuggestions}>
          Take the suggestions
        </button>{' '}
        <span class="grey" role="status">
          {suggestionsText(suggestions, isTaken)}
        </span>
      </p>
      <table class="roles">
        <caption>Columns of {original?.source.name}</caption>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">role</th>
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <ColumnRow key={column.name} column={column} session={session} state={state} />
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
          {hasKeys ? '' : 'Without keys, attribute inference is not tested. '}
          {hasTarget ? '' : 'Without a target, what an attacker would learn is not tested. '}
          Memorisation is tested all the same.
        </p>
      )}
      <p class="next">
        <button type="button" class="primary" disabled={reason !== null} onClick={() => session.go('run')}>
          Next: run
        </button>{' '}
        <Reason reason={reason} />
      </p>
    </>
  )
}

function suggestionsText(suggestions: State['suggestions'], isTaken: boolean): string {
  if (suggestions === null) return 'Looking for suggestions …'
  if (suggestions.length === 0) return 'Nothing in names or values suggests a role.'
  return isTaken
    ? 'All suggestions are taken.'
    : 'Guesses from names, and from how many people a column singles out; check each.'
}

/** A direct identifier is suggested for no role: it should not be in the file at all. */
function isSame(chosen: RoleName | undefined, suggested: SuggestedRole['role']): boolean {
  return suggested === 'direct identifier' || chosen === suggested
}

function ColumnRow({ column, session, state }: { column: ColumnInfo; session: Session; state: State }) {
  const { name, kind, distinct, missing } = column
  const chosen = state.roles[name]
  const suggested = state.suggestions?.find((one) => one.column === name)
  const option = (role: RoleName) => (
    <option key={role} value={role}>
      {role}
      {suggested?.role === role ? ' (suggested)' : ''}
    </option>
  )
  return (
    <tr class={chosen === undefined ? '' : 'chosen'}>
      <th scope="row">
        {name}
        <div class="grey small">
          {KIND_TITLES[kind]}, {count(distinct)} different{missing > 0 ? `, ${count(missing)} missing` : ''}
        </div>
      </th>
      <td data-head="role">
        <select
          aria-label={`Role of ${name}`}
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) =>
            session.setRole(name, [...USUAL, ...RARE].find((role) => role === value) ?? null)
          }
        >
          <option value="">no role</option>
          {USUAL.map(option)}
          <optgroup label="More">{RARE.map(option)}</optgroup>
        </select>
        {chosen === undefined || MEANINGS[chosen] === undefined ? null : (
          <div class="grey small">{MEANINGS[chosen]}</div>
        )}
      </td>
      <td data-head="why" class="small">
        {suggested === undefined ? null : <Suggested suggestion={suggested} chosen={chosen} />}
      </td>
    </tr>
  )
}

function Suggested({ suggestion, chosen }: { suggestion: SuggestedRole; chosen: RoleName | undefined }) {
  const { role, reason, added } = suggestion
  const effect = added === null || added <= 0 ? '' : `; it makes another ${share(added)} of people unique`
  return (
    <>
      <span class={chosen === role ? 'tag taken' : 'tag'}>
        {chosen === role ? '✓ ' : ''}
        {role}
      </span>{' '}
      <span class="grey">
        {reason}
        {effect}
      </span>
    </>
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
