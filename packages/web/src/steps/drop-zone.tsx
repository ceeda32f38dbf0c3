import { useRef, useState } from 'preact/hooks'

/** A place for files: dropped on it, or picked by its button. */
export function DropZone({
  title,
  hint,
  many = false,
  onFiles,
}: {
  title: string
  hint: string
  many?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (list: FileList | null | undefined) => onFiles([...(list ?? [])])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button inside is for everybody
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <h2>{title}</h2>
      <p class="grey">{hint}</p>
      <button type="button" onClick={() => input.current?.click()}>
        Choose {many ? 'files' : 'a file'} <span class="unseen">for {title.toLowerCase()}</span>
      </button>{' '}
      <span class="grey small">or drop {many ? 'them' : 'it'} here</span>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        multiple={many}
        aria-label={title}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
