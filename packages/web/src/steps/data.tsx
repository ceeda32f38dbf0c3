import type { TypeSpec } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import type { ColumnInfo, SourceFile } from '../engine/protocol.js'
import { count } from '../numbers.js'
import type { FileRole, LoadedFile, Session, State } from '../session.js'
import { DropZone } from './drop-zone.js'
import { Problems } from './problems.js'
import { Toggles } from './toggles.js'

const KINDS = ['numeric', 'categorical', 'date'] as const
const KIND_TITLES = { numeric: 'number', categorical: 'category', date: 'date' } as const

/** Which files, and whether their columns were understood. */
export function Data({ session, state }: { session: Session; state: State }) {
  const { original, releases, holdout, population, attacker, rules } = state
  const isEmpty = original === null && releases.length === 0
  return (
    <>
      <h1>Which files?</h1>
      <p>
        CSV, Excel, SPSS, Stata, SAS, R, Parquet, Arrow, JSON and whatever else the command line reads, also gzipped.
        Files are read where they are; nothing is uploaded.
      </p>
      {isEmpty ? (
        <p>
          <button type="button" class="primary" disabled={state.isLoadingSample} onClick={session.loadSample}>
            {state.isLoadingSample ? 'Making the sample …' : 'Try it with a sample'}
          </button>{' '}
          <span class="grey">1,000 simulated people, released in three ways</span>
        </p>
      ) : null}
      <div class="zones">
        <div>
          <DropZone
            title="The original"
            hint="The confidential file that the release was made from."
            onFiles={(files) => session.addFiles('original', files)}
          />
          <Files as="original" files={original === null ? [] : [original]} session={session} />
        </div>
        <div>
          <DropZone
            title="Releases"
            hint="One file or several: each is judged for itself."
            many
            onFiles={(files) => session.addFiles('release', files)}
          />
          <Files as="release" files={releases} session={session} />
        </div>
        <div>
          <DropZone
            title="People outside (optional)"
            hint="A holdout: people like these who were not used to make the release. Four more threats can be tested with it."
            onFiles={(files) => session.addFiles('holdout', files)}
          />
          <Files as="holdout" files={holdout === null ? [] : [holdout]} session={session} />
        </div>
      </div>
      <details open={population !== null || attacker !== null || rules !== null}>
        <summary>More files: a population, what an attacker holds, edit rules</summary>
        <div class="zones">
          <div>
            <DropZone
              title="The population (optional)"
              hint="Or a register of it, with the key columns: who is unique in the population, not only in the file."
              onFiles={(files) => session.addFiles('population', files)}
            />
            <Files as="population" files={population === null ? [] : [population]} session={session} />
          </div>
          <div>
            <DropZone
              title="An attacker’s file (optional)"
              hint="A file on people that somebody holds, to be linked with the release."
              onFiles={(files) => session.addFiles('attacker', files)}
            />
            <Files as="attacker" files={attacker === null ? [] : [attacker]} session={session} />
            <AttackerColumns session={session} state={state} />
          </div>
          <div>
            <DropZone
              title="Edit rules (optional)"
              hint="A text with one rule per line that records must keep: age < 15 => marital = &quot;SINGLE&quot;"
              onFiles={([file]) => session.setRules(file)}
            />
            {rules === null ? null : <FileName source={rules} session={session} />}
          </div>
        </div>
      </details>
      {original?.info ? <Columns session={session} state={state} file={original} /> : null}
      <p class="next">
        <button
          type="button"
          class="primary"
          disabled={!original?.info || releases.length === 0}
          onClick={() => session.go('roles')}
        >
          Next: roles
        </button>
        {original?.info && releases.length === 0 ? <span class="grey"> A release is missing.</span> : null}
      </p>
    </>
  )
}

function Files({ as, files, session }: { as: FileRole; files: readonly LoadedFile[]; session: Session }) {
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={`${file.source.id} ${file.source.part?.name ?? ''}`}>
          <FileName source={file.source} session={session}>
            {file.info === null ? null : (
              <span class="grey">
                {count(file.info.rows)} records, {file.info.columns.length} columns
              </span>
            )}
          </FileName>
          <Parts as={as} file={file} session={session} />
          <Problems problems={file.problems} />
        </li>
      ))}
    </ul>
  )
}

function FileName({
  source,
  session,
  children,
}: {
  source: SourceFile
  session: Session
  children?: ComponentChildren
}) {
  const { id, name, part } = source
  return (
    <>
      <strong>{part?.kind === 'table' ? `${name} (${part.name})` : name}</strong> {children}{' '}
      <button type="button" class="small" onClick={() => session.removeFile(id)}>
        Remove <span class="unseen">{name}</span>
      </button>
    </>
  )
}

/** Of a file with several tables one is chosen. */
function Parts({ as, file, session }: { as: FileRole; file: LoadedFile; session: Session }) {
  const { parts, source, info } = file
  if (parts.length < 2) return null
  const what = parts[0].kind === 'sheet' ? 'sheet' : 'table'
  const chosen = source.part?.name ?? (what === 'sheet' ? parts[0].name : '')
  return (
    <p class={info === null ? 'warnings' : ''}>
      <label>
        {info === null ? `It holds ${parts.length} tables. Which? ` : `${what} `}
        <select
          value={chosen}
          aria-label={`Table of ${source.name}`}
          onChange={({ currentTarget }) => {
            const part = parts.find(({ name }) => name === currentTarget.value)
            if (part !== undefined) void session.choosePart(as, file, part)
          }}
        >
          {chosen === '' ? <option value="">choose</option> : null}
          {parts.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}

/** Columns of the attacker's file that the original calls otherwise. */
function AttackerColumns({ session, state }: { session: Session; state: State }) {
  const { original, attacker, attackerColumns } = state
  const ours = original?.info?.columns.map(({ name }) => name) ?? []
  const foreign = attacker?.info?.columns.filter(({ name }) => !ours.includes(name)) ?? []
  if (foreign.length === 0 || ours.length === 0) return null
  return (
    <fieldset>
      <legend>What are these in the original?</legend>
      {foreign.map(({ name }) => (
        <label key={name} class="option">
          {name}{' '}
          <select
            aria-label={`${name} in the original`}
            value={attackerColumns[name] ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { [name]: _, ...others } = attackerColumns
              session.setAbout({ attackerColumns: value === '' ? others : { ...others, [name]: value } })
            }}
          >
            <option value="">not in it</option>
            {ours.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  )
}

function Columns({ session, state, file }: { session: Session; state: State; file: LoadedFile }) {
  const { info } = file
  if (info === null) return null
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">Was it understood?</h2>
      <p>Numbers that are codes, such as a region or an occupation, are categories: say so with one click.</p>
      <table>
        <caption>
          Columns of {file.source.name}, {count(info.rows)} records
        </caption>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">type</th>
            <th scope="col">missing</th>
            <th scope="col">different values</th>
            <th scope="col">first values</th>
          </tr>
        </thead>
        <tbody>
          {info.columns.map((column, k) => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              <td data-head="type">
                <Toggles
                  label={`Type of ${column.name}`}
                  choices={KINDS}
                  chosen={column.kind}
                  titles={KIND_TITLES}
                  onChoose={(kind) => session.setColumnType(column.name, kind === null ? null : specOf(kind))}
                />
                {state.types[column.name] === undefined ? null : (
                  <button type="button" class="small" onClick={() => session.setColumnType(column.name, null)}>
                    as found <span class="unseen">in {column.name}</span>
                  </button>
                )}
              </td>
              <td data-head="missing">{missingText(column, info.rows)}</td>
              <td data-head="different values">{count(column.distinct)}</td>
              <td data-head="first values">
                {info.preview
                  .slice(0, 4)
                  .map((row) => (row[k] === '' ? 'missing' : row[k]))
                  .join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>First rows</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="scroll" tabIndex={0} aria-label="First rows">
          <table class="plain">
            <thead>
              <tr>
                {info.columns.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {info.preview.map((row, k) => (
                <tr key={k}>
                  {row.map((cell, j) => (
                    <td key={info.columns[j].name}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  )
}

function specOf(kind: (typeof KINDS)[number]): TypeSpec {
  return { kind }
}

function missingText({ missing }: ColumnInfo, rows: number): string {
  return missing === 0 ? 'none' : `${count(missing)} (${Math.max(1, Math.round((100 * missing) / rows))} %)`
}
