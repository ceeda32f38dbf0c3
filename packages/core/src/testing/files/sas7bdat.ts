/**
 * SAS data sets as SAS writes them on machines that are not at hand: 32 and 64 bit, both orders of bytes, rows plain or packed
 * in either way. `scripts/validation/r-files.mjs` has R's haven read them, so that they are not only what the reader here takes them for.
 */
export interface SasLayout {
  readonly word: 4 | 8
  readonly little: boolean
  readonly compression: 'none' | 'runs' | 'ross'
}

export interface SasColumn {
  readonly name: string
  readonly label?: string
  readonly format?: string
  /** Numbers, NaN for missing, or texts. */
  readonly values: readonly number[] | readonly string[]
}

const [HEAD, PAGE, TEXT_WIDTH] = [1024, 4096, 12]
/** What stands beside signatures of 4 bytes where there is room for 8. */
const [HIGH, LOW] = [0xffffffffn << 32n, 0xfffffbfen]
const MAGIC = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc2, 0xea, 0x81, 0x60, 0xb3, 0x14, 0x11, 0xcf, 0xbd, 0x92, 8, 0, 9, 0xc7, 0x31,
  0x8c, 0x18, 0x1f, 0x10, 0x11,
]

export function sas7bdat(columns: readonly SasColumn[], layout: SasLayout): Uint8Array {
  const isText = ({ values }: SasColumn) => typeof values[0] === 'string'
  const widths = columns.map((column) => (isText(column) ? TEXT_WIDTH : 8))
  const starts = widths.map((_, k) => widths.slice(0, k).reduce((sum, width) => sum + width, 0))
  const rowLength = widths.reduce((sum, width) => sum + width, 0)
  const count = columns[0].values.length
  const rows = Array.from({ length: count }, (_, row) => {
    const bytes = new Uint8Array(rowLength).fill(32)
    const view = new DataView(bytes.buffer)
    columns.forEach(({ values }, k) => {
      const value = values[row]
      if (typeof value === 'string') bytes.set(new TextEncoder().encode(value), starts[k])
      else if (Number.isNaN(value)) writeMissing(bytes.subarray(starts[k], starts[k] + 8), layout.little)
      else view.setFloat64(starts[k], value, layout.little)
    })
    return bytes
  })
  const meta = describe(columns, { starts, widths, rowLength, count, isText }, layout)
  const pages = [page(layout, 0x0000, 0, meta), ...dataPages(rows, rowLength, layout)]
  const file = new Uint8Array(HEAD + pages.length * PAGE)
  writeHead(file, pages.length, layout)
  for (const [k, bytes] of pages.entries()) file.set(bytes, HEAD + k * PAGE)
  return file
}

function writeMissing(bytes: Uint8Array, little: boolean): void {
  bytes.set(little ? [0, 0, 0, 0, 0, 0xfe, 0xff, 0xff] : [0xff, 0xff, 0xfe, 0, 0, 0, 0, 0])
}

function writeHead(file: Uint8Array, pages: number, { word, little }: SasLayout): void {
  const view = new DataView(file.buffer)
  file.set(MAGIC)
  // The words of 64-bit files are set in two places: how pointers are written, and what is aligned.
  file[32] = word === 8 ? 0x33 : 0x22
  file[35] = word === 8 ? 0x33 : 0x32
  file[37] = little ? 1 : 0
  file[39] = 0x31
  file[70] = 20
  file.set(new TextEncoder().encode('SAS FILEPEOPLE'.padEnd(72).concat('DATA    ')), 84)
  const align = word === 8 ? 4 : 0
  view.setUint32(196 + align, HEAD, little)
  view.setUint32(200 + align, PAGE, little)
  writeWord(view, 204 + align, pages, { word, little })
  file.set(new TextEncoder().encode('9.0401M3'), 216 + align + (word === 8 ? 4 : 0))
}

function writeWord(
  view: DataView,
  at: number,
  value: number,
  { word, little }: Pick<SasLayout, 'word' | 'little'>,
): void {
  if (word === 4) view.setUint32(at, value, little)
  else view.setBigUint64(at, BigInt(value), little)
}

interface Subheader {
  readonly bytes: Uint8Array
  /** 4 and 1 for a packed row. */
  readonly compression?: number
  readonly type?: number
}

function page(layout: SasLayout, type: number, blocks: number, subheaders: readonly Subheader[]): Uint8Array {
  const bytes = new Uint8Array(PAGE)
  const view = new DataView(bytes.buffer)
  const head = layout.word === 8 ? 32 : 16
  view.setUint16(head, type, layout.little)
  view.setUint16(head + 2, blocks, layout.little)
  view.setUint16(head + 4, subheaders.length, layout.little)
  let end = PAGE
  subheaders.forEach((subheader, k) => {
    end -= 4 * Math.ceil(subheader.bytes.length / 4)
    const at = head + 8 + 3 * layout.word * k
    bytes.set(subheader.bytes, end)
    writeWord(view, at, end, layout)
    writeWord(view, at + layout.word, subheader.bytes.length, layout)
    bytes[at + 2 * layout.word] = subheader.compression ?? 0
    bytes[at + 2 * layout.word + 1] = subheader.type ?? 0
  })
  return bytes
}

interface Shape {
  readonly starts: readonly number[]
  readonly widths: readonly number[]
  readonly rowLength: number
  readonly count: number
  readonly isText: (column: SasColumn) => boolean
}

function describe(columns: readonly SasColumn[], shape: Shape, layout: SasLayout): readonly Subheader[] {
  const { word, little, compression } = layout
  const literal = compression === 'runs' ? 'SASYZCRL' : compression === 'ross' ? 'SASYZCR2' : ''
  let block = `${' '.repeat(16)}${literal.padEnd(8)}`
  const place = (text: string) => {
    const at = block.length
    block += text.padEnd(4 * Math.ceil(text.length / 4))
    return [0, at, text.length]
  }
  const subheader = (signature: number, size: number, fill: (view: DataView) => void) => {
    const bytes = new Uint8Array(size)
    const view = new DataView(bytes.buffer)
    const isHigh = signature >= 0xfffffbfe
    if (word === 4 || little) view.setUint32(0, signature, little)
    if (word === 8 && little && isHigh) view.setUint32(4, 0xffffffff, little)
    if (word === 8 && !little)
      view.setBigUint64(0, BigInt(signature) * (isHigh ? 1n : 2n ** 32n) + (isHigh ? HIGH : LOW))
    fill(view)
    return { bytes }
  }
  const shorts = (view: DataView, at: number, values: readonly number[]) => {
    for (const [k, value] of values.entries()) view.setUint16(at + 2 * k, value, little)
  }
  const names = columns.map(({ name }) => place(name))
  const formats = columns.map(({ format = '' }) => place(format))
  const labels = columns.map(({ label = '' }) => place(label))
  const size = word === 8 ? 808 : 480
  const rowSize = subheader(0xf7f7f7f7, size, (view) => {
    writeWord(view, 5 * word, shape.rowLength, layout)
    writeWord(view, 6 * word, shape.count, layout)
    writeWord(view, 9 * word, columns.length, layout)
    writeWord(view, 15 * word, 0, layout)
    if (literal !== '') shorts(view, size - 118, [0, 16, 8])
  })
  const columnSize = subheader(0xf6f6f6f6, 3 * word, (view) => writeWord(view, word, columns.length, layout))
  const texts = subheader(0xfffffffd, word + block.length, (view) => {
    new Uint8Array(view.buffer).set(new TextEncoder().encode(block), word)
    view.setUint16(word, block.length - 4 - word, little)
  })
  const nameList = subheader(0xffffffff, 2 * word + 12 + 8 * columns.length, (view) => {
    view.setUint16(word, 8 * columns.length + 8, little)
    for (const [k, pointer] of names.entries()) shorts(view, word + 8 * (k + 1), pointer)
  })
  const places = subheader(0xfffffffc, 2 * word + 12 + (word + 8) * columns.length, (view) => {
    view.setUint16(word, (word + 8) * columns.length + 8, little)
    columns.forEach((column, k) => {
      const at = word + 8 + k * (word + 8)
      writeWord(view, at, shape.starts[k], layout)
      view.setUint32(at + word, shape.widths[k], little)
      view.setUint8(at + word + 6, shape.isText(column) ? 2 : 1)
    })
  })
  const shown = columns.map((_, k) =>
    subheader(0xfffffbfe, 3 * word + 40, (view) => {
      shorts(view, 3 * word + 22, formats[k])
      shorts(view, 3 * word + 28, labels[k])
    }),
  )
  return [rowSize, columnSize, texts, nameList, places, ...shown]
}

function dataPages(rows: readonly Uint8Array[], rowLength: number, layout: SasLayout): readonly Uint8Array[] {
  const head = layout.word === 8 ? 32 : 16
  if (layout.compression === 'none') {
    const perPage = Math.floor((PAGE - head - 8) / rowLength)
    return chunks(rows, perPage).map((some) => {
      const bytes = page(layout, 0x0100, some.length, [])
      for (const [k, row] of some.entries()) bytes.set(row, head + 8 + k * rowLength)
      return bytes
    })
  }
  const pack = layout.compression === 'runs' ? packRuns : packRoss
  const perPage = Math.floor((PAGE - head - 8) / (3 * layout.word + 2 * rowLength + 8))
  return chunks(rows, perPage).map((some) =>
    page(
      layout,
      0x0000,
      0,
      some.map((row) => {
        const packed = pack(row)
        return packed.length < row.length ? { bytes: packed, compression: 4, type: 1 } : { bytes: row, type: 1 }
      }),
    ),
  )
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, k) => items.slice(k * size, (k + 1) * size))
}

/** Runs of three and more, and the bytes between them. */
export function packRuns(row: Uint8Array): Uint8Array {
  const packed: number[] = []
  let plain: number[] = []
  const flush = () => {
    for (let at = 0; at < plain.length; at += 64) {
      const some = plain.slice(at, at + 64)
      packed.push(0x80 + (some.length - 1), ...some)
    }
    plain = []
  }
  for (let at = 0; at < row.length; ) {
    let length = 1
    while (at + length < row.length && row[at + length] === row[at] && length < 4000) length++
    if (length < 3) {
      plain.push(...row.subarray(at, at + length))
    } else {
      flush()
      packed.push(...runOf(row[at], length))
    }
    at += length
  }
  flush()
  return Uint8Array.from(packed)
}

function runOf(byte: number, length: number): readonly number[] {
  const command = byte === 0x40 ? 0 : byte === 0x20 ? 1 : byte === 0 ? 2 : undefined
  const long = (least: number) => [(length - least) >> 8, (length - least) & 0xff]
  if (command !== undefined && length <= 17) return [0xd0 + 16 * command + (length - 2)]
  if (command !== undefined) return [0x50 + 16 * command + long(17)[0], long(17)[1]]
  return length <= 18 ? [0xc0 + (length - 3), byte] : [0x40 + long(18)[0], long(18)[1], byte]
}

/** Runs of three and more, repetitions of what came before, and single bytes, sixteen items at a time. */
export function packRoss(row: Uint8Array): Uint8Array {
  const items: { readonly isPlain: boolean; readonly bytes: readonly number[] }[] = []
  for (let at = 0; at < row.length; ) {
    let run = 1
    while (at + run < row.length && row[at + run] === row[at] && run < 4000) run++
    const match = longestMatch(row, at)
    if (match.length >= 3 && match.length > run) {
      const distance = match.distance - 3
      const command = match.length >= 16 ? 2 : match.length
      const tail = match.length >= 16 ? [match.length - 16] : []
      items.push({ isPlain: false, bytes: [16 * command + (distance & 15), distance >> 4, ...tail] })
      at += match.length
    } else if (run >= 3) {
      const long = run - 19
      const bytes = run <= 18 ? [run - 3, row[at]] : [16 + (long & 15), long >> 4, row[at]]
      items.push({ isPlain: false, bytes })
      at += run
    } else {
      items.push({ isPlain: true, bytes: [row[at++]] })
    }
  }
  return Uint8Array.from(
    chunks(items, 16).flatMap((some) => {
      const bits = some.reduce((sum, { isPlain }, k) => sum | (isPlain ? 0 : 0x8000 >> k), 0)
      return [bits >> 8, bits & 0xff, ...some.flatMap(({ bytes }) => bytes)]
    }),
  )
}

function longestMatch(row: Uint8Array, at: number): { distance: number; length: number } {
  let best = { distance: 0, length: 0 }
  for (let distance = 3; distance <= Math.min(at, 4000); distance++) {
    let length = 0
    while (
      length < Math.min(distance, 270) &&
      at + length < row.length &&
      row[at + length] === row[at + length - distance]
    )
      length++
    if (length > best.length) best = { distance, length }
  }
  return best
}
