/** How the first bytes tell formats whose readers are loaded when first needed. */

const SAS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc2, 0xea, 0x81, 0x60, 0xb3, 0x14, 0x11, 0xcf, 0xbd, 0x92, 8, 0]
const ZIP = [0x50, 0x4b, 3, 4]

/** A data set of SAS. */
export function isSas(bytes: Uint8Array): boolean {
  return SAS.every((byte, at) => bytes[at] === byte)
}

/** A transport file of SAS. */
export function isXport(bytes: Uint8Array): boolean {
  return /^HEADER RECORD\*{7}(LIBRARY|LIBV8) /.test(head(bytes, 40))
}

/** Excel workbooks are ZIP archives. */
export function isZip(bytes: Uint8Array): boolean {
  return ZIP.every((byte, at) => bytes[at] === byte)
}

/** Files of R's `save` begin in a word and a version, those of `saveRDS` in a letter and a version. */
export function isRFile(bytes: Uint8Array): boolean {
  const first = head(bytes, 16)
  if (/^RD[XBA][23]\n/.test(first) || /^A\n[23]\n\d/.test(first)) return true
  // The version, 2 or 3, with its four bytes either way round.
  const [a, b, c, d] = bytes.subarray(2)
  const isVersion = (high: number, low: number) => b === 0 && c === 0 && high === 0 && (low === 2 || low === 3)
  return (/^[XB]\n/.test(first) && isVersion(a, d)) || (first.startsWith('B\n') && isVersion(d, a))
}

function head(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length))
}
