import { type Chart, fixed, type TableCell, type TableColumn, type TableView } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import type { PictureOf } from './document.js'
import { Code, Term } from './term.js'

/** A verdict, told by its word, its shape and its colour. */
export function Verdict({ level }: { level: string }) {
  return (
    <span class={`verdict ${levelClass(level)}`}>
      <Term of={level.toLowerCase()}>{level}</Term>
    </span>
  )
}

export function levelClass(level: string): string {
  return level.toLowerCase().replaceAll(' ', '-')
}

export function Picture({ chart, pictureOf }: { chart: Chart; pictureOf: PictureOf }) {
  const drawn = pictureOf(chart)
  const width = chart.isWide ? 'wide' : undefined
  if (typeof drawn !== 'string') return <figure class={width}>{drawn}</figure>
  return (
    <figure class={width}>
      <div
        class="picture scroll"
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a narrow screen must be reachable by keyboard
        tabIndex={0}
        aria-label={chart.title}
        dangerouslySetInnerHTML={{ __html: slim(unspoken(drawn)) }}
      />
    </figure>
  )
}

/** A picture is read out by its title; what Vega says of every mark would be in the way, and is exact. */
function unspoken(svg: string): string {
  return svg.replace(/ (role|aria-[a-z]+)="[^"]*"/g, '')
}

/** Hundredths of a pixel are enough, and nothing asks for the classes of marks. */
function slim(svg: string): string {
  return svg
    .replace(/ (class|pointer-events)="[^"]*"/g, '')
    .replace(/\d+\.\d{3,}(?=[^<>]*>)/g, (number) => String(Number(fixed(Number(number), 2))))
    .trim()
}

/** A table; where the screen is narrow each row is a block of its own, every cell with its heading. */
export function Table({
  head,
  rows,
  caption,
}: {
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
  caption: string
}) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((title) => (
            <th scope="col">
              <Term of={title}>{title}</Term>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...rest]) => (
          <tr>
            <th scope="row">{first}</th>
            {rest.map((cell, k) => (
              <td data-head={head[k + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A table of the view, as it is; nothing where there is none. */
export function ViewTable({ table }: { table: TableView | null }) {
  if (table === null) return null
  const { caption, columns, rows } = table
  return (
    <Table
      caption={caption}
      head={columns.map(({ title }) => title)}
      rows={rows.map((row) => row.map((cell, k) => cellOf(cell, columns[k])))}
    />
  )
}

function cellOf(cell: TableCell, { as }: TableColumn): ComponentChildren {
  const text = typeof cell === 'string' ? cell : cell.text
  const shown =
    as === 'verdict' ? (
      <Verdict level={text} />
    ) : as === 'term' ? (
      <Term of={text}>{text}</Term>
    ) : as === 'code' ? (
      <Code option={typeof cell === 'string' ? undefined : cell.option}>{text}</Code>
    ) : (
      text
    )
  return typeof cell === 'string' || cell.note === undefined ? (
    shown
  ) : (
    <>
      {shown}
      {` ${cell.note}`}
    </>
  )
}

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <>
      <h3>Notes</h3>
      <ul>
        {notes.map((note) => (
          <li>{note}</li>
        ))}
      </ul>
    </>
  )
}
