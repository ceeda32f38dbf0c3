// Prints the software bill of materials of what is packed (CycloneDX 1.5, JSON): every package whose code goes into the bundle or
// the page, with version, licence, and checksum as package-lock.json has them. npm run --silent sbom > sbom.json
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

export function billOfMaterials() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { version } = packages['packages/cli']
  const components = bundledPlaces(packages).map((place) => componentOf(place, packages[place]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'scrim', version, purl: `pkg:npm/scrim@${version}`, ...licence('MIT') },
    },
    components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
}

/** Our own packages with all that they need to run, and what the command line bundles, which it calls its devDependencies. */
function bundledPlaces(packages) {
  const open = Object.keys(packages).filter((place) => /^packages\/[^/]+$/.test(place))
  const seen = new Set(open)
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { dependencies, optionalDependencies, devDependencies } = packages[place]
    const bundled = place === 'packages/cli' ? devDependencies : {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...bundled })) {
      const found = placeOf(name, place, packages)
      if (found === undefined || seen.has(found)) continue
      seen.add(found)
      open.push(found)
    }
  }
  return [...seen].filter((place) => place.includes('node_modules/'))
}

/** As Node looks for a package: beside whoever needs it, then further up; links lead to our own packages. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/)?[^/]*$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[place]?.link) return packages[place].resolved
    if (packages[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

function componentOf(place, { version, license, integrity }) {
  const name = place.replace(/^.*node_modules\//, '')
  const [algorithm, digest] = (integrity ?? '').split('-')
  const hashes =
    algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...licence(license),
    ...hashes,
  }
}

function licence(expression) {
  return expression === undefined ? {} : { licenses: [{ expression }] }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(billOfMaterials(), null, 2))
