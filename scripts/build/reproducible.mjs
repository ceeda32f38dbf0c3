// Builds and packs the command line twice and compares the bytes: whoever has the clone can make the packed file again.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** The checksum of the packed file of what is built now. */
export function packedChecksum() {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-pack-'))
  try {
    const shell = process.platform === 'win32'
    const name = execFileSync('npm', ['pack', join(root, 'packages/cli'), '--silent'], {
      cwd: folder,
      encoding: 'utf8',
      shell,
    })
    return createHash('sha256')
      .update(readFileSync(join(folder, name.trim())))
      .digest('hex')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, second] = [1, 2].map(() => {
    execFileSync(process.execPath, [join(root, 'scripts/build/bundle.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
    return packedChecksum()
  })
  console.log(
    first === second ? `the same bytes twice: sha256 ${first}` : `different bytes: sha256 ${first} and ${second}`,
  )
  process.exitCode = first === second ? 0 : 1
}
