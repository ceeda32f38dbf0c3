import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { droppedFolder, type Folder, pickedFolder } from './folder.js'

/** What makes a browser ask for a folder; types of elements do not know it. */
const FOLDERS = { webkitdirectory: true }

/** A place for files: dropped on it, or picked by its buttons; what it holds stands in it. */
export function DropZone({
  title,
  hint,
  many = false,
  isPrimary = false,
  isFilled = false,
  onFiles,
  onFolder,
  children,
}: {
  title: string
  hint: string
  many?: boolean
  /** Whether this is what to do next. */
  isPrimary?: boolean
  /** Whether a file stands in it already. */
  isFilled?: boolean
  onFiles: (files: readonly File[]) => void
  /** Where a folder may be given as well. */
  onFolder?: (folder: Folder) => void
  children?: ComponentChildren
}) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const folders = useRef<HTMLInputElement>(null)
  const drop = async (data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    const folder = onFolder === undefined || data === null ? null : await droppedFolder(data)
    if (folder === null) onFiles(files)
    else onFolder?.(folder)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the buttons inside are for everybody
    <div
      class={`drop${isOver ? ' over' : ''}${isFilled ? ' filled' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        void drop(event.dataTransfer)
      }}
    >
      <h2>{title}</h2>
      <p class="grey">{hint}</p>
      {children}
      <div class="hinted">
        <button type="button" class={isPrimary ? 'primary' : ''} onClick={() => input.current?.click()}>
          {isFilled ? (many ? 'Add files' : 'Replace') : many ? 'Choose files' : 'Choose a file'}{' '}
          <span class="unseen">for {title.toLowerCase()}</span>
        </button>{' '}
        {onFolder === undefined ? null : (
          <button type="button" onClick={() => folders.current?.click()}>
            Choose a folder <span class="unseen">for {title.toLowerCase()}</span>
          </button>
        )}
      </div>
      <span class="grey small">or drop {many ? 'them' : isFilled ? 'another' : 'it'} here</span>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        multiple={many}
        aria-label={title}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      {onFolder === undefined ? null : (
        <input
          ref={folders}
          type="file"
          class="unseen"
          tabIndex={-1}
          {...FOLDERS}
          aria-label={`${title}, a folder`}
          onChange={({ currentTarget }) => {
            const folder = pickedFolder([...(currentTarget.files ?? [])])
            if (folder !== null) onFolder(folder)
            currentTarget.value = ''
          }}
        />
      )}
    </div>
  )
}
