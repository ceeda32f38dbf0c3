import { viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'

/**
 * Lengths in the metadata of an Arrow file (FlatBuffers; Arrow Columnar Format, Serialization and IPC) are checked before flechette
 * believes them: it makes a list of as many entries as a vector says it has, and goes back where a message has a negative length.
 */
export function checkArrowMetadata(bytes: Uint8Array, isFile: boolean): void {
  if (!isFile) {
    for (let at = 0; at < bytes.length; ) at = afterMessage(bytes, at)
    return
  }
  const end = bytes.length - MAGIC_LENGTH - 4
  const metadata = flatBuffer(bytes)
  const footer = metadata.table(end - metadata.int32(end))
  checkSchema(metadata, footer(SLOT.footer.schema))
  for (const slot of [SLOT.footer.dictionaries, SLOT.footer.batches])
    for (const block of metadata.vector(footer(slot), BLOCK)) afterMessage(bytes, metadata.int32(block))
}

const MAGIC_LENGTH = 6
const [BLOCK, NODE, REGION, COUNT, OFFSET] = [24, 16, 16, 8, 4]
const [SCHEMA, DICTIONARY, BATCH] = [1, 2, 3]
const UNION = 14
/** Where entries stand in the tables of the format (Schema.fbs, Message.fbs, File.fbs). */
const SLOT = {
  footer: { schema: 6, dictionaries: 8, batches: 10, metadata: 12 },
  message: { kind: 6, header: 8, bodyLength: 10 },
  schema: { fields: 6, metadata: 8 },
  field: { typeKind: 8, type: 10, children: 14, metadata: 16 },
  union: { typeIds: 6 },
  dictionary: { data: 6 },
  batch: { nodes: 6, regions: 8, counts: 12 },
}

/** Checks a message and tells where the next one is. */
function afterMessage(bytes: Uint8Array, at: number): number {
  const whole = flatBuffer(bytes)
  const isContinued = whole.int32(at) === -1
  const length = whole.int32(isContinued ? at + 4 : at)
  if (length === 0) return bytes.length
  const start = at + (isContinued ? 8 : 4)
  if (length < 0 || length > bytes.length - start) throw new Damaged('a message in it has a wrong length')
  const metadata = flatBuffer(bytes.subarray(start, start + length))
  const message = metadata.table(0)
  const header = message(SLOT.message.header)
  const kindAt = message(SLOT.message.kind)
  const kind = kindAt === 0 ? 0 : metadata.uint8(kindAt)
  if (kind === SCHEMA) checkSchema(metadata, header)
  if (kind === BATCH) checkBatch(metadata, header)
  if (kind === DICTIONARY && header !== 0) checkBatch(metadata, metadata.table(header)(SLOT.dictionary.data))
  const bodyAt = message(SLOT.message.bodyLength)
  const body = bodyAt === 0 ? 0 : metadata.int64(bodyAt)
  if (body < 0 || body > bytes.length - start - length) throw new Damaged('a message in it is cut short')
  return start + length + body
}

function checkBatch(metadata: FlatBuffer, at: number): void {
  if (at === 0) return
  const batch = metadata.table(at)
  metadata.vector(batch(SLOT.batch.nodes), NODE)
  metadata.vector(batch(SLOT.batch.regions), REGION)
  metadata.vector(batch(SLOT.batch.counts), COUNT)
}

function checkSchema(metadata: FlatBuffer, at: number): void {
  if (at === 0) return
  const schema = metadata.table(at)
  metadata.vector(schema(SLOT.schema.metadata), OFFSET)
  const open = metadata.vector(schema(SLOT.schema.fields), OFFSET)
  // Fields that lie inside each other are more than there is room for.
  let left = metadata.length / OFFSET
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (left-- < 0) throw new Damaged('its columns are wrong')
    const field = metadata.table(next)
    metadata.vector(field(SLOT.field.metadata), OFFSET)
    open.push(...metadata.vector(field(SLOT.field.children), OFFSET))
    const [kind, type] = [field(SLOT.field.typeKind), field(SLOT.field.type)]
    if (kind !== 0 && type !== 0 && metadata.uint8(kind) === UNION)
      metadata.vector(metadata.table(type)(SLOT.union.typeIds), OFFSET)
  }
}

interface FlatBuffer {
  readonly length: number
  readonly uint8: (at: number) => number
  readonly int32: (at: number) => number
  readonly int64: (at: number) => number
  /** Of a table that a place refers to: where the entry of a slot is, 0 where there is none. */
  readonly table: (at: number) => (slot: number) => number
  /** Where the entries of a vector are that a place refers to; all of them lie within the bytes. */
  readonly vector: (at: number, stride: number) => number[]
}

function flatBuffer(bytes: Uint8Array): FlatBuffer {
  const view = viewOf(bytes)
  const inside = (at: number, size: number) => {
    if (!(at >= 0 && at + size <= bytes.length)) throw new Damaged('a place in it lies outside')
    return at
  }
  const int32 = (at: number) => view.getInt32(inside(at, 4), true)
  return {
    length: bytes.length,
    uint8: (at) => view.getUint8(inside(at, 1)),
    int32,
    int64: (at) => Number(view.getBigInt64(inside(at, 8), true)),
    table(at) {
      const table = at + int32(at)
      const slots = table - int32(table)
      const size = view.getUint16(inside(slots, 2), true)
      return (slot) => {
        const offset = slot < size ? view.getUint16(inside(slots + slot, 2), true) : 0
        return offset === 0 ? 0 : table + offset
      }
    },
    vector(at, stride) {
      if (at === 0) return []
      const start = at + int32(at)
      const count = int32(start)
      if (count < 0) throw new Damaged('a list in it has a wrong length')
      inside(start + 4, count * stride)
      return Array.from({ length: count }, (_, k) => start + 4 + k * stride)
    },
  }
}
