import type { TypeSpec } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import type { ColumnInfo, SourceFile } from '../engine/protocol.js'
import { count, sizeText } from '../numbers.js'
import type { FileRole, LoadedFile, Session, State } from '../session.js'
import { DropZone } from './drop-zone.js'
import { Problems, Reason } from './problems.js'
import { whyNotRoles } from './ready.js'
import { Toggles } from './toggles.js'

const KINDS = ['numeric', 'categorical', 'date'] as const
export const KIND_TITLES = { numeric: 'number', categorical: 'category', date: 'date' } as const

/** Which files, and whether their columns were understood. */
export function Data({ session, state }: { session: Session; state: State }) {
  const { original, releases, holdout, population, attacker, rules } = state
  const isEmpty = original === null && releases.length === 0
  const reason = whyNotRoles(state)
  const zone = (as: FileRole, title: string, hint: string, files: readonly (LoadedFile | null)[]) => (
    <DropZone
      title={title}
      hint={hint}
      many={as === 'release'}
      isPrimary={as === 'original' ? original === null : as === 'release' && releases.length === 0}
      isFilled={files.some((file) => file !== null)}
      onFiles={(chosen) => session.addFiles(as, chosen)}
    >
      <Files as={as} files={files.flatMap((file) => file ?? [])} session={session} />
      {as === 'attacker' ? <AttackerColumns session={session} state={state} /> : null}
    </DropZone>
  )
  return (
    <>
      <h1>Which files?</h1>
      <p>
        CSV, Excel, SPSS, Stata, SAS, R, Parquet, Arrow or JSON, gzipped or not. Files stay where they are; nothing is
        uploaded.
      </p>
      <div class="zones">
        {zone('original', 'The original', 'The confidential file that the release was made from.', [original])}
        {zone('release', 'Releases', 'One file or several; each is judged on its own.', releases)}
        {zone(
          'holdout',
          'People outside (optional)',
          'A holdout: people like these who were not used to make the release. Three more threats can be tested with it.',
          [holdout],
        )}
      </div>
      {isEmpty ? (
        <p class="hinted">
          No files at hand?{' '}
          <button type="button" disabled={state.isLoadingSample} onClick={session.loadSample}>
            {state.isLoadingSample ? 'Making the sample …' : 'Try a sample'}
          </button>{' '}
          <span class="grey">1,000 simulated people, released in three ways</span>
        </p>
      ) : null}
      <details open={population !== null || attacker !== null || rules !== null}>
        <summary>More files: a population, what an attacker holds, edit rules</summary>
        <div class="zones">
          {zone(
            'population',
            'The population (optional)',
            'The population or a register of it, with the key columns: shows who is unique in the population, not only in the file.',
            [population],
          )}
          {zone(
            'attacker',
            'An attacker’s file (optional)',
            'Records of people that somebody already holds, to be linked with the release.',
            [attacker],
          )}
          <DropZone
            title="Edit rules (optional)"
            hint="A text file with one rule per line that every record must satisfy: age < 15 => marital = &quot;SINGLE&quot;"
            isFilled={rules !== null}
            onFiles={([file]) => session.setRules(file)}
          >
            {rules === null ? null : (
              <div class="files">
                <FileName source={rules} session={session} />
              </div>
            )}
          </DropZone>
        </div>
      </details>
      {original?.info ? <Columns session={session} state={state} file={original} /> : null}
      <p class="next">
        <button type="button" class="primary" disabled={reason !== null} onClick={() => session.go('roles')}>
          Next: roles
        </button>{' '}
        <Reason reason={reason} />
      </p>
    </>
  )
}

function Files({ as, files, session }: { as: FileRole; files: readonly LoadedFile[]; session: Session }) {
  if (files.length === 0) return null
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={`${file.source.id} ${file.source.part?.name ?? ''}`}>
          {file.reading === null ? (
            <FileName source={file.source} session={session}>
              {file.info === null
                ? ''
                : ` · ${count(file.info.rows)} records · ${count(file.info.columns.length)} columns`}
            </FileName>
          ) : (
            <Reading file={file} session={session} />
          )}
          <Parts as={as} file={file} session={session} />
          <Problems problems={file.problems} />
        </li>
      ))}
    </ul>
  )
}

/** A file on its way in: how much of it is there, then that it is being understood, and a way out. */
function Reading({ file: { source, reading }, session }: { file: LoadedFile; session: Session }) {
  const isHere = reading === 1
  return (
    <>
      <strong>{source.name}</strong> <span class="grey">{sizeText(source.content.size)}</span>
      <progress {...(isHere ? {} : { value: reading ?? 0 })} aria-label={`Reading ${source.name}`} />
      <span class="grey" role="status">
        {isHere ? 'Finding columns and types …' : 'Reading …'}
      </span>{' '}
      <button type="button" class="small" onClick={session.cancelReading}>
        Cancel <span class="unseen">reading {source.name}</span>
      </button>
    </>
  )
}

function FileName({
  source,
  session,
  children = '',
}: {
  source: SourceFile
  session: Session
  children?: ComponentChildren
}) {
  const { id, name, part, content } = source
  return (
    <>
      <span class="file">
        <strong>{part?.kind === 'table' ? `${name} (${part.name})` : name}</strong>{' '}
        <button type="button" class="small" onClick={() => session.removeFile(id)}>
          Remove <span class="unseen">{name}</span>
        </button>
      </span>
      <span class="grey small">
        {sizeText(content.size)}
        {children}
      </span>
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
        {info === null ? `It holds ${parts.length} tables. Which one? ` : `${what} `}
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

/** Columns of the attacker's file that have another name in the original. */
function AttackerColumns({ session, state }: { session: Session; state: State }) {
  const { original, attacker, attackerColumns } = state
  const ours = original?.info?.columns.map(({ name }) => name) ?? []
  const foreign = attacker?.info?.columns.filter(({ name }) => !ours.includes(name)) ?? []
  if (foreign.length === 0 || ours.length === 0) return null
  return (
    <fieldset>
      <legend>What are these called in the original?</legend>
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
      <h2 id="columns">Were the columns read correctly?</h2>
      <p>
        Codes that look like numbers, such as those of a region or an occupation, are categories: one click changes
        them.
      </p>
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
                    Reset <span class="unseen">the type of {column.name}</span>
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
