import type { Chart, FactRow } from '@scrim/core'
import type { PictureOf } from './document.js'

/** A verdict, told by its word, its shape and its colour. */
export function Verdict({ level }: { level: string }) {
  return <span class={`verdict ${level.toLowerCase().replaceAll(' ', '-')}`}>{level}</span>
}

export function Picture({ chart, pictureOf }: { chart: Chart; pictureOf: PictureOf }) {
  return (
    <figure>
      <div
        class="picture"
        role="img"
        aria-label={chart.title}
        dangerouslySetInnerHTML={{ __html: unspoken(pictureOf(chart)) }}
      />
    </figure>
  )
}

/** A picture is read out by its title; what Vega says of every mark would be in the way, and is exact. */
function unspoken(svg: string): string {
  return svg.replace(/ (role|aria-[a-z]+)="[^"]*"/g, '')
}

/** A table that scrolls within itself where the screen is narrow. */
export function Table({
  head,
  rows,
  caption,
}: {
  head: readonly string[]
  rows: readonly (readonly (string | null)[])[]
  caption: string
}) {
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr>
              <th scope="row">{first}</th>
              {rest.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function FactTable({ facts }: { facts: readonly FactRow[] }) {
  return (
    <Table
      caption="Structure of the file"
      head={['fact', 'this release', 'the original']}
      rows={facts.map(({ title, target, value, original }) => [
        target === null ? title : `${title} (${target})`,
        value,
        original,
      ])}
    />
  )
}
