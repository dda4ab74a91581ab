import { describe, test } from 'vitest'
import { type LockEntry, type Manifest, supplyChainFaults } from '../../../scripts/check-supply-chain.ts'

const good: LockEntry = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' }
const manifest: Manifest = { dependencies: { good: '1.0.0' } }
const reasons = { good: 'it is needed' }

function faultsWith(place: string, entry: LockEntry): string[] {
  return supplyChainFaults(manifest, { packages: { '': {}, 'node_modules/good': good, [place]: entry } }, reasons)
}

describe('the supply chain check', () => {
  test.for<[string, LockEntry]>([
    ['node_modules/a', good],
    ['node_modules/a', { ...good, license: '(MIT OR GPL-3.0)' }],
    ['node_modules/a', { ...good, license: 'MIT AND Apache-2.0' }],
    ['node_modules/a', { ...good, license: 'MPL-2.0', dev: true }],
    ['node_modules/@img/sharp-libvips-linux-x64', { ...good, license: 'LGPL-3.0-or-later' }],
    ['node_modules/b/node_modules/esbuild', { ...good, hasInstallScript: true }],
    ['node_modules/workerd', { ...good, hasInstallScript: true }],
  ])('accepts %s as %j', ([place, entry], { expect }) => {
    expect(faultsWith(place, entry)).toEqual([])
  })

  test.for<[LockEntry, string]>([
    [{ version: '1.0.0', license: 'MIT' }, 'no integrity'],
    [{ ...good, resolved: 'https://registry.example/a.tgz' }, 'names a download address'],
    [{ ...good, link: true }, 'is a link'],
    [{ ...good, version: 'git+ssh://git@example/a.git' }, 'is not from a registry'],
    [{ ...good, version: 'git:a' }, 'is not from a registry'],
    [{ ...good, version: 'file:../a' }, 'is not from a registry'],
    [{ ...good, hasInstallScript: true }, 'has an install script'],
    [{ ...good, license: 'GPL-3.0' }, 'licence GPL-3.0 is not on the list'],
    [{ ...good, license: 'MIT AND GPL-3.0' }, 'is not on the list'],
    [{ ...good, license: 'MPL-2.0' }, 'is not on the list'],
    [{ ...good, license: 'LGPL-3.0-or-later' }, 'is not on the list'],
    [{ version: '1.0.0', integrity: 'sha512-x' }, 'licence unknown'],
  ])('refuses %j: %s', ([entry, fault], { expect }) => {
    expect(faultsWith('node_modules/a', entry)).toEqual([expect.stringContaining(fault)])
  })

  test.for<[Manifest, string]>([
    [{ dependencies: { good: '^1.0.0' } }, 'is not one exact version'],
    [{ dependencies: { good: '1.0.0' }, devDependencies: { a: 'latest' } }, 'is not one exact version'],
    [{ dependencies: { good: '1.0.0' }, devDependencies: { a: 'github:a/b' } }, 'is not one exact version'],
    [{ dependencies: { good: '1.0.0', other: '1.0.0' } }, 'nobody says why'],
    [{}, 'has a reason but does not ship'],
  ])('refuses the manifest %j: %s', ([changed, fault], { expect }) => {
    expect(supplyChainFaults(changed, { packages: {} }, reasons)).toEqual([expect.stringContaining(fault)])
  })
})
