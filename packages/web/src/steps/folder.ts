/** A folder that somebody picked or dropped; its files by their place in it. */
export interface Folder {
  readonly name: string
  readonly files: readonly { readonly path: string; readonly file: File }[]
}

/** As a browser hands over the files of a folder that was picked: each knows its path from there. */
export function pickedFolder(files: readonly File[]): Folder | null {
  if (files.length === 0) return null
  const [name] = files[0].webkitRelativePath.split('/')
  return { name, files: files.map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file })) }
}

/** The first folder of what was dropped; null when it is files. */
export async function droppedFolder({ items }: DataTransfer): Promise<Folder | null> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const folder = entries.find((entry): entry is FileSystemDirectoryEntry => entry.isDirectory)
  if (folder === undefined) return null
  return { name: folder.name, files: await filesIn(folder, '') }
}

async function filesIn(folder: FileSystemDirectoryEntry, before: string): Promise<Folder['files']> {
  const reader = folder.createReader()
  const found: { path: string; file: File }[] = []
  for (;;) {
    // A browser gives a part at a time, and nothing at the end.
    const entries = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (entries.length === 0) return found
    for (const entry of entries) {
      const path = `${before}${entry.name}`
      if (entry.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry, `${path}/`)))
      else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((done, fail) => entry.file(done, fail))
}
