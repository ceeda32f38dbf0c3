import type { TypeSpec } from '@scrim/core'
import type { ColumnInfo } from '../engine/protocol.js'
import { count } from '../numbers.js'
import type { LoadedFile, Session, State } from '../session.js'
import { DropZone } from './drop-zone.js'
import { Problems } from './problems.js'
import { Toggles } from './toggles.js'

const KINDS = ['numeric', 'categorical', 'date'] as const
const KIND_TITLES = { numeric: 'number', categorical: 'category', date: 'date' } as const

/** Which files, and whether their columns were understood. */
export function Data({ session, state }: { session: Session; state: State }) {
  const { original, releases, holdout } = state
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
          <Files files={original === null ? [] : [original]} session={session} />
        </div>
        <div>
          <DropZone
            title="Releases"
            hint="One file or several: each is judged for itself."
            many
            onFiles={(files) => session.addFiles('release', files)}
          />
          <Files files={releases} session={session} />
        </div>
        <div>
          <DropZone
            title="People outside (optional)"
            hint="A holdout: people like these who were not used to make the release. Four more threats can be tested with it."
            onFiles={(files) => session.addFiles('holdout', files)}
          />
          <Files files={holdout === null ? [] : [holdout]} session={session} />
        </div>
      </div>
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

function Files({ files, session }: { files: readonly LoadedFile[]; session: Session }) {
  return (
    <ul class="files">
      {files.map(({ source, info, problems }) => (
        <li key={source.id}>
          <strong>{source.name}</strong>{' '}
          {info === null ? null : (
            <span class="grey">
              {count(info.rows)} records, {info.columns.length} columns
            </span>
          )}{' '}
          <button type="button" class="small" onClick={() => session.removeFile(source.id)}>
            Remove <span class="unseen">{source.name}</span>
          </button>
          <Problems problems={problems} />
        </li>
      ))}
    </ul>
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
