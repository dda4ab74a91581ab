import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { findSandbox } from '../../../local/agent/adapters/find-sandbox.ts'
import { describeSandbox } from '../../../local/agent/doctor-command.ts'
import { keptCode } from '../../support/kept-code.ts'
import { requireReal } from '../../support/real-parts.ts'
import { writeSeatbelt } from '../../support/write-seatbelt.ts'

const bubblewrap = requireReal('bwrap')
const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
let base: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'doctor-')))
})

afterEach(() => rm(base, { recursive: true, force: true }))

async function doctor(config?: unknown): Promise<{ code: number; lines: string[] }> {
  const folder = path.join(base, 'config', 'svc')
  await mkdir(folder, { recursive: true })
  if (config !== undefined) await writeFile(path.join(folder, 'svc.jsonc'), JSON.stringify(config))
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: base,
    XDG_CONFIG_HOME: path.join(base, 'config'),
    SVC_DATA_DIR: path.join(base, 'data'),
    ...keptCode,
  }
  return promisify(execFile)(process.execPath, [svc, 'doctor'], { cwd: base, env }).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n') }),
    (error: { code: number; stdout: string }) => ({ code: error.code, lines: error.stdout.trimEnd().split('\n') }),
  )
}

describe('svc doctor', () => {
  test.skipIf(bubblewrap.isMissing)(
    `names the sandbox and what else there is ${bubblewrap.skipNote}`,
    async ({ expect }) => {
      const { code, lines } = await doctor()

      expect(lines[0]).toMatch(/^sandbox: bubblewrap \d+\.\d+\.\d+ \(\/\S+bwrap\), with(?:out)? user namespaces$/)
      expect(lines[1]).toMatch(/^git: \d+\./)
      expect(lines[2]).toBe(`node: ${process.versions.node}, SQLite ${process.versions['sqlite']} (at least 3.51.3)`)
      expect(lines[3]).toBe(`data folder: ${base}/data, made by the first start`)
      expect(lines[4]).toBe('configuration: none')
      expect(code).toBe(0)
    },
  )

  test('says that the configuration turns it off, and ends with 1', async ({ expect }) => {
    const { code, lines } = await doctor({ sandbox: { enabled: false } })

    expect(lines[0]).toBe('sandbox: turned off by the configuration: every command of the model is asked for')
    expect(code).toBe(1)
  })

  test('says what stands in a configuration that cannot be read', async ({ expect }) => {
    const { code, lines } = await doctor({ sandboxes: {} })

    expect(lines.at(-1)).toBe(`configuration: ${base}/config/svc/svc.jsonc:1: sandboxes: unknown key`)
    expect(code).toBe(1)
  })
})

describe('where there is no sandbox', () => {
  test('for want of the program, the command that installs it is named', async ({ expect }) => {
    const status = await findSandbox(base, 'linux', base)

    expect(describeSandbox(status, false)).toBe(
      'none, since bubblewrap is not installed: every command of the model is asked for. apt-get install --no-install-recommends bubblewrap',
    )
  })

  test('because the system forbids it, its own words are told', async ({ expect }) => {
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.1 && exit\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n`
    await writeFile(path.join(base, 'bwrap'), script, { mode: 0o755 })
    const status = await findSandbox(base, 'linux', base)

    expect(status).toMatchObject({
      kind: 'none',
      reason: 'bubblewrap 0.9.1 does not start here (bwrap: No permissions to create new namespace)',
    })
  })

  test('because it does not end its probe, that is told after a bound', async ({ expect }) => {
    await writeFile(path.join(base, 'bwrap'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })

    expect(await findSandbox(base, 'linux', base, 50)).toMatchObject({ kind: 'none' })
  })

  test.for([
    ['win32', 'there is none for win32'],
    ['darwin', 'this system has no sandbox-exec'],
  ] as const)('on %s, it says so', async ([platform, reason], { expect }) => {
    expect(await findSandbox(base, platform, base)).toMatchObject({ kind: 'none', reason })
  })
})

describe('a sandbox is tried before it is believed', () => {
  type Platform = 'darwin' | 'linux'
  const named = (platform: Platform) => (platform === 'darwin' ? 'sandbox-exec' : 'bwrap')
  const standIn = (platform: Platform, script: string) =>
    writeFile(path.join(base, named(platform)), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  /** The shell and what it is told, without the boundary: after two words on one system, behind `--` on the other. */
  const plainly: Record<Platform, string> = {
    darwin: 'shift 2',
    linux: '[ "$1" = --version ] && echo bubblewrap 0.9.1 && exit; while [ "$1" != -- ]; do shift; done; shift',
  }

  test.for([
    ['darwin', 'exec "$@"', 'it shows files outside of the project'],
    ['darwin', 'cd "$PWD"; exec "$@" >/dev/null', 'it lets a command write outside of the project'],
    ['darwin', 'exit 71', 'no command can be run in it (it said nothing)'],
    [
      'darwin',
      'echo "sandbox-exec: profile not understood" >&2; exit 65',
      'no command can be run in it (sandbox-exec: profile not understood)',
    ],
    ['linux', 'exec "$@"', 'no command can be run in it'],
  ] as const)('on %s one that does "%s" is none: %s', async ([platform, script, problem], { expect }) => {
    await standIn(platform, `${plainly[platform]}; ${script}`)
    const status = await findSandbox(base, platform, base)

    expect(status.kind).toBe('none')
    expect(describeSandbox(status, false)).toContain(`${named(platform)} was tried on this machine, and ${problem}`)
  })

  test.skipIf(bubblewrap.isMissing).for([
    ['lets it read the folder beside the project', 'subpath "{base}/outside"', 'it shows files outside of the project'],
    ['lets it read what is hidden', 'subpath "{base}/project/.env"', 'it shows what the rules keep from being read'],
  ])(`one that %s is none ${bubblewrap.skipNote}`, async ([, filter, problem], { expect }) => {
    await writeSeatbelt(base, filter)

    expect(await findSandbox(base, 'darwin', base)).toMatchObject({
      kind: 'none',
      reason: `sandbox-exec was tried on this machine, and ${problem}`,
    })
  })

  test.skipIf(bubblewrap.isMissing)(`one that holds is at work ${bubblewrap.skipNote}`, async ({ expect }) => {
    const program = await writeSeatbelt(base)
    const status = await findSandbox(base, 'darwin', base)

    expect(status).toEqual({ kind: 'seatbelt', program })
    expect(describeSandbox(status, false)).toBe(`${program}, which held when it was tried just now`)
  })
})
