/** A shell that stands ready in the sandbox serves a command only where everything is as it was when it was made. */
import { chmodSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { findSandbox } from '../../../local/agent/adapters/find-sandbox.ts'
import { openHostProxy } from '../../../local/agent/adapters/host-proxy.ts'
import type { SandboxStart } from '../../../local/agent/core/sandbox-start.ts'
import { waitingCommandBytesMax, waitingShellMs, waitingShellsMax } from '../../../local/agent/limits.ts'
import { CommandSandbox, type Enclosure, type Grants } from '../../../local/agent/runtime/sandbox.ts'
import { SpareStart } from '../../../local/agent/runtime/spare-start.ts'
import type { ForeseenCall } from '../../../local/agent/runtime/tool-port.ts'
import { startShell } from '../../../local/agent/runtime/tools/shell-process.ts'
import { standOf, WaitingShells } from '../../../local/agent/runtime/waiting-shells.ts'
import { agentWithFakeModel } from '../../support/agent-with-fake-model.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'
import { requireReal } from '../../support/real-parts.ts'

const bubblewrap = requireReal('bwrap')
const nothing: Grants = { reads: [], writes: [], hosts: [] }
/** Until the times of what was just made tell it from what comes next. */
const settleMs = 120

let base: string
let project: string
let sandbox: CommandSandbox

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'waiting-')))
  project = path.join(base, 'project')
  for (const name of ['.git/config', '.github/workflows/ci.yml', 'deep/.env', '.env', 'AGENTS.md'])
    await put(name, name)
  const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', LANG: 'C.UTF-8', OTHER: 'x' }
  const status = findSandbox(environment.PATH, process.platform)
  sandbox = new CommandSandbox({
    status: () => status,
    environment,
    folder: path.join(base, 'data', 'sandbox'),
    withheld: [path.join(base, 'data')],
    shown: [],
    workTrees: path.join(base, 'data', 'work-tree'),
    borrowed: () => undefined,
    openProxy: openHostProxy,
  })
  await delay(settleMs)
})

afterEach(async () => {
  sandbox.close()
  // What is ended while it makes its sandbox may have made a place for a mount.
  await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
})

async function put(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(project, name)), { recursive: true })
  await writeFile(path.join(project, name), text)
}

const callOf = (more: Partial<ForeseenCall> = {}): ForeseenCall => ({
  sessionId: 'ses_one',
  directory: project,
  sandbox: { isOff: false, variables: [] },
  isAllowed: (_action, shown) => !shown.endsWith('.env'),
  rulesKey: () => 'no .env',
  ...more,
})

async function enclose(call = callOf(), grants = nothing, workdir = project): Promise<Enclosure> {
  const enclosure = await sandbox.enclose(call, project, workdir, grants, await sandbox.look(call, project))
  if (enclosure === undefined) throw new Error('there is no sandbox')
  return enclosure
}

/** With what came of it, and whether a shell that waited ran it. */
async function run(command: string, enclosure: Enclosure) {
  let [text, hasWaited] = ['', false]
  const shell = startShell({
    command,
    directory: project,
    environment: {},
    enclosure: {
      ...enclosure,
      takeShell() {
        const taken = enclosure.takeShell()
        hasWaited = taken !== undefined
        return taken
      },
    },
    onOutput: (chunk) => {
      text += String(chunk)
    },
  })
  const exit = await shell.ended
  return { exit, text, hasWaited }
}

describe.skipIf(bubblewrap.isMissing)(`a shell that waits ${bubblewrap.skipNote}`, () => {
  test('runs the next command of its session, once, with the text as it was written', async ({ expect }) => {
    const command = `  printf '%s|' '中文 é 😀' "$0" "$#" 'a\tb\r\nc\u0001\u007f\\' ; cat .env deep/.env AGENTS.md 2>/dev/null; cat; echo "\${line-unset}"\nexit 3\\\n`
    const made = await run(command, await enclose())
    await sandbox.foresee(callOf())
    const waited = await run(command, await enclose())

    expect(made).toMatchObject({ exit: 3, hasWaited: false })
    expect(made.text).toBe(`中文 é 😀|bash|0|a\tb\r\nc\u0001\u007f\\|AGENTS.mdunset\n`)
    expect(waited).toEqual({ ...made, hasWaited: true })
    expect(await run(command, await enclose())).toEqual(made)
  })

  test('is asked to end, and made to, as any other', async ({ expect }) => {
    for (const [trap, exit] of [
      ['trap "echo heard; exit 7" TERM', 7],
      ['trap "" TERM', null],
    ] as const) {
      await sandbox.foresee(callOf())
      const enclosure = await enclose()
      const taken = enclosure.takeShell()
      if (taken === undefined) throw new Error('none waits')
      let text = ''
      const shell = startShell({
        command: `${trap}; echo begun; while :; do sleep 0.05; done`,
        directory: project,
        environment: {},
        enclosure: { ...enclosure, takeShell: () => taken },
        killGraceMs: 300,
        onOutput: (chunk) => {
          text += String(chunk)
        },
      })
      await expect.poll(() => text, { timeout: 10_000 }).toContain('begun')
      shell.stop()
      expect(await shell.ended).toBe(exit)
      if (exit === 7) expect(text).toContain('heard')
    }
  })

  test('reads a command up to its bound; a longer one, and one with a zero byte, is not given to it', async ({
    expect,
  }) => {
    const long = (bytes: number) => `echo done #${'x'.repeat(bytes - 'echo done #'.length)}`
    await sandbox.foresee(callOf())
    expect(await run(long(waitingCommandBytesMax + 1), await enclose())).toMatchObject({ exit: 0, hasWaited: false })
    expect(await run(long(waitingCommandBytesMax), await enclose())).toMatchObject({ exit: 0, hasWaited: true })
    await sandbox.foresee(callOf())
    await expect(async () => run('echo a\0b', await enclose())).rejects.toThrow('null bytes')
  })

  const changes: readonly (readonly [string, () => Promise<Enclosure>])[] = [
    [
      'what may not be read was written anew, under the same name',
      async () => {
        await put('.env.new', 'PASSWORD=canary')
        await rename(path.join(project, '.env.new'), path.join(project, '.env'))
        return enclose()
      },
    ],
    [
      'what may not be read was removed and made again',
      async () => {
        await rm(path.join(project, '.env'))
        await put('.env', 'PASSWORD=canary')
        return enclose()
      },
    ],
    [
      'what may not be read is there now',
      async () => {
        await put('other/.env', 'PASSWORD=canary')
        return enclose()
      },
    ],
    [
      'the folder of what may not be read was moved, and another one took its place',
      async () => {
        await rename(path.join(project, 'deep'), path.join(project, 'moved'))
        await put('deep/.env', 'PASSWORD=canary')
        return enclose()
      },
    ],
    [
      'what is protected was replaced',
      async () => {
        await rename(path.join(project, '.github'), path.join(base, 'aside'))
        await put('.github/workflows/ci.yml', 'other')
        return enclose()
      },
    ],
    [
      'the project was replaced',
      async () => {
        await rename(project, path.join(base, 'aside'))
        await put('.env', 'PASSWORD=canary')
        return enclose()
      },
    ],
    [
      'the temporary folder was replaced',
      async () => {
        await rm(path.join(base, 'data', 'sandbox'), { recursive: true })
        return enclose()
      },
    ],
    [
      'the rules changed',
      async () =>
        enclose(callOf({ rulesKey: () => 'no AGENTS.md', isAllowed: (_action, shown) => shown !== 'AGENTS.md' })),
    ],
    [
      'the owner hands over another variable',
      async () => enclose(callOf({ sandbox: { isOff: false, variables: ['OTHER'] } })),
    ],
    ['the owner granted a path', async () => enclose(callOf(), { ...nothing, writes: [path.join(project, '.git')] })],
    ['the owner granted a host', async () => enclose(callOf(), { ...nothing, hosts: ['example.org'] })],
    ['the command runs in another folder', async () => enclose(callOf(), nothing, path.join(project, 'deep'))],
    ['it is of another session', async () => enclose(callOf({ sessionId: 'ses_two' }))],
    [
      'its session ended',
      async () => {
        sandbox.endSessions(['ses_one'])
        return enclose()
      },
    ],
  ]
  test.for(changes)('is not used where %s', async ([, change], { expect }) => {
    await sandbox.foresee(callOf())
    const enclosure = await change()
    const { text, hasWaited } = await run('cat .env */.env', enclosure).finally(() => enclosure.close())

    expect(hasWaited).toBe(false)
    expect(text).not.toContain('canary')
  })

  test('is used where only the work itself went on', async ({ expect }) => {
    await sandbox.foresee(callOf())
    await put('src/made.ts', 'made later')
    expect(await run('cat src/made.ts', await enclose())).toEqual({ exit: 0, text: 'made later', hasWaited: true })
  })

  test('is not made where the owner turned the sandbox off, nor after the end', async ({ expect }) => {
    await sandbox.foresee(callOf({ sandbox: { isOff: true, variables: [] } }))
    expect((await enclose()).takeShell()).toBeUndefined()
    sandbox.close()
    await sandbox.foresee(callOf())
    expect((await enclose()).takeShell()).toBeUndefined()
  })
})

describe.skipIf(bubblewrap.isMissing)(`a start that is told later what to make ${bubblewrap.skipNote}`, () => {
  const other = callOf({ sessionId: 'ses_two' })
  const told = async (enclosure: Enclosure) => {
    const shell = enclosure.tellShell()
    return run('cat .env */.env AGENTS.md; echo "$PWD $HOME"; exit 3', {
      ...enclosure,
      takeShell: () => shell,
    })
  }

  test('serves one command of any session, in a sandbox of how things stand by then', async ({ expect }) => {
    await sandbox.foresee(callOf())
    await put('late/.env', 'PASSWORD=canary')
    const plain = await run('cat .env */.env AGENTS.md; echo "$PWD $HOME"; exit 3', {
      ...(await enclose(other)),
      tellShell: () => undefined,
    })
    const given = await told(await enclose(other))

    expect(given).toEqual({ ...plain, hasWaited: true })
    expect(given).toMatchObject({ exit: 3, text: expect.stringContaining('AGENTS.md') })
    expect(given.text).not.toContain('canary')
    expect((await enclose(other)).tellShell()).toBeUndefined()
  })

  test('is not used for a command with a way to hosts, and ends with the server', async ({ expect }) => {
    await sandbox.foresee(callOf())
    const hosts = await enclose(other, { ...nothing, hosts: ['example.org'] })
    expect(hosts.tellShell()).toBeUndefined()
    await hosts.close()
    sandbox.close()
    expect((await enclose(other)).tellShell()).toBeUndefined()
  })
})

test('a start that nobody used in a while, or that ended by itself, is not given out', async ({ expect }) => {
  const start = { program: '/bin/sh', args: ['-c', 'read -r line', 'sh'], cwd: '/', environment: {} }
  const told: SandboxStart = { ...start, setup: '', relay: [], hearsSignals: false }
  const spare = new SpareStart(50)
  spare.prepare(start)
  expect(spare.take({ ...told, cwd: '/tmp' })).toBeUndefined()
  await delay(500)
  expect(spare.take(told)).toBeUndefined()
  spare.prepare({ ...start, program: '/nowhere' })
  await delay(100)
  expect(spare.take({ ...told, program: '/nowhere' })).toBeUndefined()
  spare.prepare(start)
  const taken = spare.take(told)
  expect(taken?.pid).toBeGreaterThan(0)
  spare.close()
  expect(taken?.killed).toBe(false)
  taken?.kill('SIGKILL')
})

test('how things stand is not told while what lies on a path of the owner has just changed', async ({ expect }) => {
  const file = path.join(project, '.env')
  const mounts = [{ kind: 'hidden-file', at: file } as const]
  expect(standOf(mounts, project)).toBeDefined()
  chmodSync(file, 0o600)
  expect(standOf(mounts, project)).toBeUndefined()
  await delay(settleMs)
  expect(standOf(mounts, project)).toBeDefined()
})

describe('of shells that wait', () => {
  const start: SandboxStart = {
    ...{ program: '/bin/sh', args: ['-c', 'read -r line', 'sh'], setup: '', cwd: '/', environment: {} },
    ...{ relay: [], hearsSignals: false },
  }

  test('there are as many as there may be, none takes the place of another, and all end with the server', ({
    expect,
  }) => {
    const shells = new WaitingShells()
    const prepare = (count: number) => {
      for (let at = 0; at < count; at += 1) shells.prepare(`ses_${at}`, 'key', start, [])
    }
    prepare(waitingShellsMax + 1)
    expect(shells.hasRoomFor('ses_0')).toBe(true)
    expect(shells.hasRoomFor(`ses_${waitingShellsMax}`)).toBe(false)
    expect(shells.take(`ses_${waitingShellsMax}`, () => 'key')).toBeUndefined()
    const taken = shells.take(`ses_${waitingShellsMax - 1}`, () => 'key')
    expect(taken?.pid).toBeGreaterThan(0)
    expect(shells.hasRoomFor(`ses_${waitingShellsMax}`)).toBe(true)
    shells.close()
    expect(shells.hasRoomFor('ses_0')).toBe(false)
    expect(shells.take('ses_0', () => 'key')).toBeUndefined()
    expect(taken?.killed).toBe(false)
    taken?.kill('SIGKILL')
  })

  test('one ends once it has waited for long, or ends by itself, and is not given out', async ({ expect }) => {
    const shells = new WaitingShells({ shellsMax: 2, idleMs: 50 })
    shells.prepare('ses_one', 'key', start, [])
    shells.prepare('ses_two', 'key', { ...start, args: ['-c', 'exit', 'sh'] }, [])
    shells.prepare('ses_two', 'key', { ...start, program: '/nowhere' }, [])
    await delay(500)
    expect(shells.take('ses_one', () => 'key')).toBeUndefined()
    expect(shells.take('ses_two', () => 'key')).toBeUndefined()
    expect(waitingShellMs).toBe(60_000)
  })
})

describe.skipIf(bubblewrap.isMissing)(`the server as people start it ${bubblewrap.skipNote}`, () => {
  const turn: ScriptedTurn = { calls: [{ id: 'c1', name: 'bash', input: { command: 'echo done' } }] }

  test.for(['SIGKILL', 'SIGTERM'] as const)('leaves no shell that waits behind by %s', async (signal, { expect }) => {
    const { model, program, send } = await agentWithFakeModel(base)
    model.script(turn, { text: ['done'] })
    const { id } = (await send('/api/session', {})) as { id: string }
    await send(`/api/session/${id}/prompt`, { prompt: { text: 'Go' } })
    await send(`/api/session/${id}/wait`, {})
    const server = program.child.pid as number
    await expect.poll(() => shellsBelow(server), { timeout: 20_000 }).not.toEqual([])
    const waiting = await shellsBelow(server)
    program.child.kill(signal)

    await expect.poll(() => stillThere(waiting), { timeout: 10_000 }).toEqual([])
  })
})

interface Process {
  readonly pid: number
  readonly parent: number
  /** With the number it names one process for good. */
  readonly began: string
  readonly name: string
}

async function processes(): Promise<Process[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
        const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? []
        const fields = rest.split(' ')
        return { pid: Number(pid), parent: Number(fields[1]), began: fields[19] ?? '', name }
      }),
  )
  return found.filter(({ began }) => began !== '')
}

/** Of all depths. */
async function shellsBelow(server: number): Promise<Process[]> {
  const all = await processes()
  const isBelow = ({ parent }: Process): boolean =>
    parent === server || all.some((one) => one.pid === parent && isBelow(one))
  return all.filter((one) => one.name === 'bash' && isBelow(one))
}

async function stillThere(gone: readonly Process[]): Promise<Process[]> {
  const all = await processes()
  return all.filter((one) => gone.some(({ pid, began }) => pid === one.pid && began === one.began))
}
