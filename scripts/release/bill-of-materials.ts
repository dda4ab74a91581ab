/** What is inside of a release, as a CycloneDX 1.5 document: from the lock file, and from what the bundler took in. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BundledPackage } from '../licences.ts'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly name?: string
}

interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly object[]
  readonly hashes?: readonly object[]
}

export function billOfMaterials(root: string, version: string, madeAtUnix: number, bundled: readonly BundledPackage[]) {
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  )
  const inside = new Set(bundled.map(({ folder }) => folder))
  // What lies beside is everything that npm installs of the package: nothing for development, every platform's part.
  const shipped = Object.entries(lock.packages).filter(
    ([place, { dev }]) => place !== '' && (dev !== true || inside.has(place)),
  )
  const components = shipped.map(([place, locked]) => componentOf(place, locked))
  const byRef = new Map(components.map((one) => [one['bom-ref'], one]))
  const all = [...byRef.values()].sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  const self = `pkg:npm/wharf@${version}`
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(all))}`,
    version: 1,
    metadata: {
      timestamp: new Date(madeAtUnix * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': self,
        name: 'wharf',
        version,
        purl: self,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: all,
    dependencies: [{ ref: self, dependsOn: all.map((one) => one['bom-ref']) }],
  }
}

function componentOf(place: string, { name, version = '', integrity, license }: Locked): Component {
  const called = name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${called.replace('@', '%40')}@${version}`
  const isExpression = license !== undefined && / (OR|AND) /.test(license)
  const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': purl,
    name: called,
    version,
    purl,
    licenses: license === undefined ? [] : [isExpression ? { expression: license } : { license: { id: license } }],
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  }
}

/** Of the content, so that the same release has the same document. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
