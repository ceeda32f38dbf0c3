import drawingAddress from 'scrim-worker:drawing'
import { type Chart, titledWithin } from '@scrim/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Engine, openEngine } from '../engine/client.js'
import { narrower } from './narrower.js'

let drawing: Engine | undefined
const drawings = new WeakMap<Chart, Promise<string>>()

/** Pictures are drawn by a worker of their own, opened with the first of them. */
function draw(spec: Chart['spec']): Promise<string> {
  drawing ??= openEngine(drawingAddress, 'drawing')
  return drawing.ask('draw', { spec })
}

/** Drawn anew where it is wider than its place, so that letters keep their size on a phone. */
async function drawnIn(chart: Chart, room: number): Promise<string> {
  const known = drawings.get(chart) ?? draw(chart.spec)
  drawings.set(chart, known)
  const svg = await known
  if (widthOf(svg) <= room) return svg
  const titled = titledWithin(chart.spec, room - EDGE)
  const broken = titled === chart.spec ? svg : await draw(titled)
  const spec = widthOf(broken) <= room ? null : narrower(titled, widthOf(broken) - room)
  return spec === null ? broken : draw(spec)
}

/** Around what is drawn, on both sides. */
const EDGE = 12

const widthOf = (svg: string) => Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1] ?? 0)

/** A chart as soon as it is near the screen and drawn; what is under the pointer says its values. */
export function LivePicture({ chart }: { chart: Chart }) {
  const place = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<number | null>(null)
  const [shown, setShown] = useState<{ svg: string; room: number } | null>(null)
  const [tip, setTip] = useState<{ text: string; x: number; y: number } | null>(null)
  useEffect(() => {
    const measure = new ResizeObserver(([{ contentRect }]) => setRoom(Math.floor(contentRect.width)))
    if (place.current !== null) measure.observe(place.current)
    return () => measure.disconnect()
  }, [])
  useEffect(() => {
    if (room === null) return
    let isGone = false
    const look = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        look.disconnect()
        drawnIn(chart, room).then(
          (svg) => !isGone && setShown({ svg, room }),
          () => !isGone && setShown({ svg: '', room }),
        )
      },
      { rootMargin: '600px' },
    )
    if (place.current !== null) look.observe(place.current)
    return () => {
      isGone = true
      look.disconnect()
    }
  }, [chart, room])
  // What cannot be drawn narrower is moved along, and keeps the size of its letters.
  const isWide = shown !== null && room !== null && widthOf(shown.svg) > room + 1
  return (
    <div class="live-picture">
      <div
        ref={place}
        class={isWide ? 'picture scroll' : 'picture'}
        {...(isWide ? { tabIndex: 0 } : {})}
        role="img"
        aria-label={chart.title}
        aria-busy={shown?.room !== room}
        onPointerMove={(event) => setTip(tipAt(event))}
        onPointerLeave={() => setTip(null)}
        dangerouslySetInnerHTML={{ __html: shown === null ? '<p class="waiting">Drawing …</p>' : unspoken(shown.svg) }}
      />
      {tip === null ? null : (
        <div class="tip" style={{ left: `${tip.x}px`, top: `${tip.y}px` }}>
          {tip.text}
        </div>
      )}
    </div>
  )
}

/** What Vega says of every mark is for the pointer; whoever listens hears the title. */
function unspoken(svg: string): string {
  return svg
    .replace(/ aria-label="/g, ' data-says="')
    .replace(/ (role|aria-[a-z]+)="[^"]*"/g, '')
    .replace(/ pointer-events="none"/g, '')
}

function tipAt(event: PointerEvent & { currentTarget: HTMLElement }) {
  const { target, currentTarget, clientX, clientY } = event
  const says = target instanceof Element ? target.closest('[data-says]')?.getAttribute('data-says') : null
  if (says == null || /^(X-axis|Y-axis|Title|Symbol legend|Subtitle)/.test(says)) return null
  const { left, top } = currentTarget.getBoundingClientRect()
  return { text: rounded(says), x: clientX - left + 12, y: clientY - top + 12 }
}

const rounded = (text: string) =>
  text.replace(/\d+\.\d{4,}/g, (number) => String(Number(Number(number).toPrecision(3))))
