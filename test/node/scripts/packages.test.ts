import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, test } from 'vitest'
import { hasItsLibrary } from '../../../scripts/pinned-node.mjs'

const bootstrap = pathToFileURL(path.resolve(import.meta.dirname, '../../../scripts/packages.mjs')).href

/** Runs a bootstrap function in a process that believes it is another Node or another machine. */
function runAs(facts: { version?: string; platform?: string }, call: string) {
  const code = `
    const facts = ${JSON.stringify(facts)}
    if (facts.version) Object.defineProperty(process.versions, 'node', { value: facts.version })
    if (facts.platform) Object.defineProperty(process, 'platform', { value: facts.platform })
    const bootstrap = await import(${JSON.stringify(bootstrap)})
    console.log(await bootstrap.${call}())`
  const outcome = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  return { code: outcome.status, stdout: outcome.stdout, stderr: outcome.stderr }
}

describe('the bootstrap', () => {
  test.for([
    ['linux', 'x64', ['/lib64/ld-linux-x86-64.so.2'], true],
    ['linux', 'arm64', ['/lib/ld-linux-aarch64.so.1'], true],
    // As on Alpine, which has another C library.
    ['linux', 'x64', ['/lib/ld-musl-x86_64.so.1'], false],
    ['linux', 'riscv64', ['/lib64/ld-linux-x86-64.so.2'], false],
    ['darwin', 'arm64', [], true],
  ] as const)(
    'on %s %s with %j the pinned Node would start: %s',
    ([platform, architecture, files, starts], { expect }) => {
      const there: readonly string[] = files
      expect(hasItsLibrary(platform, architecture, (file) => there.includes(file))).toBe(starts)
    },
  )

  test.for(['18.20.0', '19.9.0'])('refuses Node %s with one line', (version, { expect }) => {
    expect(runAs({ version }, 'requireNode')).toEqual({
      code: 1,
      stdout: '',
      stderr: `wharf needs Node 20 or newer; this is ${version}\n`,
    })
  })

  test('goes on with Node 20', ({ expect }) => {
    expect(runAs({ version: '20.0.0' }, 'requireNode')).toMatchObject({ code: 0, stderr: '' })
  })

  test('without a pinned Node for the platform an older one is refused, a new one used', ({ expect }) => {
    const refused = runAs({ version: '22.0.0', platform: 'sunos' }, 'pinnedNode')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^wharf runs its code on Node 24 or newer: this is 22\.0\.0, and .+ node-sunos-\w+ is not installed or does not run here; install Node 24 and start again\n$/,
    )
    expect(runAs({ version: '24.0.0', platform: 'sunos' }, 'pinnedNode').stdout).toBe(`${process.execPath}\n`)
  })

  test('on Linux the pinned Node runs the code', ({ expect }) => {
    const pinned = runAs({ version: '20.0.0' }, 'pinnedNode').stdout.trim()
    expect(pinned).toContain(path.join('node_modules', `node-linux-${process.arch}`))
    expect(spawnSync(pinned, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v24\./)
  })
})
