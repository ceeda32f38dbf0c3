/**
 * SHA-256 (FIPS 180-4). The browser's own is there on secure origins only, and a server inside an office often is none.
 * Constants: the first 32 bits of the fractional parts of the square and cube roots of the first primes.
 */
const primes = firstPrimes(64)
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0
const START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const BLOCK = 64

export function sha256(bytes: Uint8Array): string {
  const state = START.slice()
  const whole = bytes.length - (bytes.length % BLOCK)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole; at += BLOCK) compress(state, view, at)
  const rest = padded(bytes.subarray(whole), bytes.length)
  for (let at = 0; at < rest.byteLength; at += BLOCK) compress(state, rest, at)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The last bytes, a bit, zeros, and the length of the whole in bits. */
function padded(last: Uint8Array, length: number): DataView {
  const block = new Uint8Array(last.length + 9 > BLOCK ? 2 * BLOCK : BLOCK)
  block.set(last)
  block[last.length] = 0x80
  const view = new DataView(block.buffer)
  view.setUint32(block.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(block.length - 4, (length << 3) >>> 0)
  return view
}

const schedule = new Uint32Array(BLOCK)
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

function compress(state: Uint32Array, view: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = view.getUint32(at + 4 * t)
  for (let t = 16; t < BLOCK; t++) {
    const x = schedule[t - 15]
    const y = schedule[t - 2]
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
    schedule[t] = schedule[t - 16] + low + schedule[t - 7] + high
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let t = 0; t < BLOCK; t++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const choice = (e & f) ^ (~e & g)
    const one = (h + high + choice + ROUND[t] + schedule[t]) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + low + majority) | 0
  }
  const found = [a, b, c, d, e, f, g, h]
  for (let k = 0; k < state.length; k++) state[k] += found[k]
}

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}
