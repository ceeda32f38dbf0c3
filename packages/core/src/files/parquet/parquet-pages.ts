import type { PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'

/**
 * Counts in the pages of a Parquet column are checked before hyparquet believes them: it would go back to where it was at a page of
 * negative length, and fill billions of cells at a wrong length of a run. Runs are those of the RLE/bit-packing hybrid (Parquet
 * format, Encodings.md); columns are flat.
 */
export interface PageChecks {
  /** All pages of a column chunk, and what is not packed of them. */
  readonly chunk: (buffer: ArrayBuffer) => void
  /** What was packed of a page, by where it lay packed. */
  readonly unpacked: (packed: Uint8Array, page: Uint8Array) => void
}

export function pageChecks(rows: number, isOptional: boolean, isPacked: boolean, isBoolean: boolean): PageChecks {
  const checks = new WeakMap<ArrayBufferLike, Map<number, (page: Uint8Array) => void>>()
  return {
    chunk(buffer) {
      const later = new Map<number, (page: Uint8Array) => void>()
      checks.set(buffer, later)
      const reader = { view: new DataView(buffer), offset: 0 }
      let seen = 0
      while (seen < rows && reader.offset < buffer.byteLength - 1) {
        const header = parquetHeader(reader)
        const size = header.compressed_page_size
        const values = valuesOf(header)
        if (!(size >= 0 && size <= buffer.byteLength - reader.offset))
          throw new Damaged('a page in it has a wrong length')
        if (!(values >= 0 && values <= rows)) throw new Damaged('a page in it has a wrong number of values')
        if (header.type !== 'DICTIONARY_PAGE') seen += values
        checkPage(new Uint8Array(buffer, reader.offset, size), header, later)
        reader.offset += size
      }
    },
    unpacked: (packed, page) => checks.get(packed.buffer)?.get(packed.byteOffset)?.(page),
  }

  function checkPage(bytes: Uint8Array, header: PageHeader, later: Map<number, (page: Uint8Array) => void>): void {
    const { data_page_header: first, data_page_header_v2: second } = header
    if (second !== undefined) {
      const [skipped, levels] = [second.repetition_levels_byte_length, second.definition_levels_byte_length]
      if (!(skipped >= 0 && levels >= 0 && skipped + levels <= bytes.length))
        throw new Damaged('a page in it has a wrong length')
      if (isOptional) checkRuns(bytes.subarray(skipped, skipped + levels), 1, second.num_values)
      const body = bytes.subarray(skipped + levels)
      const check = (page: Uint8Array) => checkValues(page, second.encoding, second.num_values - second.num_nulls)
      if (isPacked && second.is_compressed !== false) later.set(body.byteOffset, check)
      else check(body)
    } else if (first !== undefined) {
      const check = (page: Uint8Array) => checkFirstVersion(page, first.encoding, first.num_values)
      if (isPacked) later.set(bytes.byteOffset, check)
      else check(bytes)
    }
  }

  function checkFirstVersion(page: Uint8Array, encoding: string, values: number): void {
    if (!isOptional) {
      checkValues(page, encoding, values)
      return
    }
    const levels = page.length < LENGTH ? -1 : viewOf(page).getUint32(0, true)
    if (levels < 0 || levels > page.length - LENGTH) throw new Damaged('a page in it has a wrong length')
    checkRuns(page.subarray(LENGTH, LENGTH + levels), 1, values)
    checkValues(page.subarray(LENGTH + levels), encoding, values)
  }

  function checkValues(page: Uint8Array, encoding: string, values: number): void {
    if (!(values >= 0)) throw new Damaged('a page in it has a wrong number of values')
    if (encoding === 'RLE' && isBoolean) checkRuns(page.subarray(LENGTH), 1, values)
    else if (encoding.endsWith('_DICTIONARY') && page.length > 0) checkRuns(page.subarray(1), page[0], values)
  }
}

const LENGTH = 4
/** Writers fill the last run up. */
const FILLED_UP = 512

function checkRuns(bytes: Uint8Array, width: number, values: number): void {
  if (width > 32) throw new Damaged('a run in it has a wrong width')
  let [at, seen] = [0, 0]
  while (seen < values && at < bytes.length) {
    let [header, scale] = [0, 1]
    for (let byte = 0x80; byte >= 0x80 && at < bytes.length; scale *= 128) {
      byte = bytes[at++]
      header += (byte & 0x7f) * scale
    }
    const half = Math.floor(header / 2)
    const isPackedRun = header % 2 === 1
    const count = isPackedRun ? 8 * half : half
    if (count > values - seen + FILLED_UP) throw new Damaged('a run in it is too long')
    at += isPackedRun ? half * width : Math.ceil(width / 8)
    seen += count
  }
}

function valuesOf({ data_page_header, data_page_header_v2, dictionary_page_header }: PageHeader): number {
  return (data_page_header ?? data_page_header_v2 ?? dictionary_page_header)?.num_values ?? 0
}
