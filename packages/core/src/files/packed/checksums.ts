/** CRC-32 as gzip, ZIP and xz have it; `previous` is that of the bytes before. */
export function crc32(previous: number, bytes: Uint8Array): number {
  let crc = ~previous
  for (let at = 0; at < bytes.length; at++) crc = CRC32_TABLE[(crc ^ bytes[at]) & 255] ^ (crc >>> 8)
  return ~crc
}

const CRC32_POLYNOMIAL = 0xedb88320
const CRC32_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CRC32_POLYNOMIAL : value >>> 1
  return value
})

/** CRC-64 of ECMA-182 as xz has it, in two halves: numbers of 64 bits are many times slower. */
export function crc64(bytes: Uint8Array): { low: number; high: number } {
  let low = -1
  let high = -1
  for (let at = 0; at < bytes.length; at++) {
    const index = (low ^ bytes[at]) & 255
    low = CRC64_LOW[index] ^ ((low >>> 8) | (high << 24))
    high = CRC64_HIGH[index] ^ (high >>> 8)
  }
  return { low: ~low, high: ~high }
}

const CRC64_POLYNOMIAL = 0xc96c5795d7870f42n
const CRC64 = Array.from({ length: 256 }, (_, byte) => {
  let value = BigInt(byte)
  for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ CRC64_POLYNOMIAL : value >> 1n
  return value
})
const CRC64_LOW = Int32Array.from(CRC64, (value) => Number(BigInt.asIntN(32, value)))
const CRC64_HIGH = Int32Array.from(CRC64, (value) => Number(BigInt.asIntN(32, value >> 32n)))
