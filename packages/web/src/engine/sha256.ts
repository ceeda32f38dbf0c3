import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The browser's own is there on secure origins only, and a server inside an office often is none. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes))
}
