/** What a small process starts for this one is as if this one had started it; and ends with either. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test as plainTest, type TestContext } from 'vitest'
import { runGit } from '../../../local/git/run-git.ts'
import { toldBytesMax } from '../../../local/starter/limits.ts'
import { startProgram, useStarter } from '../../../local/starter/start-program.ts'
import {
  type ProgramOptions,
  type StartedProgram,
  signalGroup,
  ToldProgram,
} from '../../../local/starter/started-program.ts'
import { Starter } from '../../../local/starter/starter.ts'
import { processesWith } from '../../support/process-search.ts'

const test = plainTest.skipIf(process.platform !== 'linux')
const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
const options: ProgramOptions = { cwd: '/', env: environment, stdio: ['pipe', 'pipe', 'pipe'], detached: true }

type Start = (program: string, args: readonly string[], options: ProgramOptions) => StartedProgram

/** Both ways to start one. */
async function bothWays(context: TestContext): Promise<readonly [told: Start, own: Start, starter: Starter]> {
  const starter = await readyStarter(context)
  const told: Start = (...what) => {
    const program = starter.start(...what)
    if (program === undefined) throw new Error('the starter is not there')
    return program
  }
  return [told, (program, args, how) => spawn(program, args, { ...how }), starter]
}

async function readyStarter({ expect, onTestFinished }: TestContext): Promise<Starter> {
  const starter = new Starter()
  onTestFinished(() => starter.close())
  await expect
    .poll(() => {
      starter.start('true', [], options)?.on('error', () => undefined)
      return starter.pid
    })
    .toBeDefined()
  return starter
}

interface Outcome {
  readonly stdout: Buffer
  readonly stderr: string
  readonly error: { readonly message: string; readonly code: string | undefined } | undefined
  readonly exit: readonly [code: number | null, signal: string | null] | undefined
}

async function outcomeOf(program: StartedProgram): Promise<Outcome> {
  const out: Buffer[] = []
  let stderr = ''
  let error: Outcome['error']
  let exit: Outcome['exit']
  program.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  program.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  program.on('error', ({ message, code }: NodeJS.ErrnoException) => {
    error = { message, code }
  })
  program.on('exit', (code: number | null, signal: string | null) => {
    exit = [code, signal]
  })
  await new Promise((resolve) => program.on('close', resolve))
  return { stdout: Buffer.concat(out), stderr, error, exit }
}

test('what is told is what a child of this process tells, byte for byte', async (context) => {
  const { expect } = context
  const [told, own] = await bothWays(context)
  const cases: readonly (readonly [
    program: string,
    args: readonly string[],
    given?: string | undefined,
    how?: Partial<ProgramOptions>,
  ])[] = [
    ['true', []],
    ['cat', [], 'Grüße\0\n'.repeat(100_000)],
    ['sh', ['-c', 'head -c 3; echo bad >&2; exit 7'], 'abcdef'],
    ['sh', ['-c', 'kill -TERM $$']],
    ['sh', ['-c', 'printf %s "$PWD $LC_ALL $#" "$@"', 'sh', '', ' a "b" \n$c', 'Straße'], undefined, { cwd: '/usr' }],
    ['sh', ['-c', 'env | grep -v "^\\(_\\|SHLVL\\|PWD\\|OLDPWD\\)="']],
    ['sh', ['-c', '[ "$(ps -o pgid= -p $$ | tr -d " ")" = $$ ] && echo leads']],
    ['head', ['-c', '3000000', '/dev/zero']],
    ['no-such-program', []],
    ['true', [], undefined, { cwd: '/no/such/folder' }],
    ['cat', [], undefined, { stdio: ['ignore', 'pipe', 'ignore'] }],
  ]
  for (const [program, args, given, how] of cases) {
    const [here, there] = await Promise.all(
      [own, told].map((start) => {
        const started = start(program, args, { ...options, ...how })
        started.stdin?.on('error', () => undefined)
        started.stdin?.end(given)
        return outcomeOf(started)
      }),
    )
    expect(there, `${program} ${args.join(' ')}`).toEqual(here)
  }
})

test('the further descriptors are written to by whoever asked, and closed', async (context) => {
  const { expect } = context
  const [told] = await bothWays(context)
  const program = told('sh', ['-c', 'cat <&4; read -r line <&3; echo "$line"'], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  const [, , , control, setup] = program.stdio as readonly NodeJS.WritableStream[]

  setup?.end('one\0two')
  control?.write('end\n')

  expect((await outcomeOf(program)).stdout.toString()).toBe('one\0twoend\n')
})

test('a program that says more than is read waits until it is', async (context) => {
  const { expect } = context
  const [told] = await bothWays(context)
  const program = told('sh', ['-c', 'head -c 5000000 /dev/zero; echo all >&2'], options)
  let said = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  await new Promise((resolve) => program.once('spawn', resolve))
  await delay(300)
  expect(said).toBe('')

  expect((await outcomeOf(program)).stdout.length).toBe(5_000_000)
  expect(said).toBe('all\n')
})

test('one that is ended before it is known to run is ended, alone and with its group', async (context) => {
  const { expect } = context
  const [told] = await bothWays(context)
  const [alone, group] = [told('sleep', ['60'], options), told('sh', ['-c', 'sleep 61 & wait'], options)]

  const outcomes = Promise.all([alone, group].map(outcomeOf))
  alone.kill('SIGKILL')
  signalGroup(group, 'SIGKILL')

  expect((await outcomes).map(({ exit }) => exit)).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ])
})

test('a stream is believed by what only its starter was told', async (context) => {
  const { expect } = context
  const [told, , starter] = await bothWays(context)
  const folder = path.dirname(
    readFileSync(`/proc/${starter.pid}/cmdline`, 'utf8')
      .split('\0')
      .find((word) => word.endsWith('/streams')) ?? '',
  )
  const strange = createConnection(path.join(folder, 'streams'))
  strange.on('error', () => undefined)
  strange.write(`${'0'.repeat(24)}1stolen`)

  await new Promise((resolve) => strange.on('close', resolve))
  expect((await outcomeOf(told('echo', ['fine'], options))).stdout.toString()).toBe('fine\n')
})

test('when it is killed, what it started ends and is said to have; the next one is started all the same', async (context) => {
  const { expect, onTestFinished } = context
  const leave = await useStarter()
  onTestFinished(leave)
  const start = (script: string) => startProgram('sh', ['-c', script], options)
  await expect
    .poll(async () => {
      const program = start('exit 0')
      await outcomeOf(program)
      return program instanceof ToldProgram
    })
    .toBe(true)
  const mark = `sleep 7${process.pid}`
  const program = start(`echo before; ${mark} & wait`)
  const hasSpoken = new Promise((resolve) => program.stdout?.once('data', resolve))
  const outcome = outcomeOf(program)
  await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0)
  await hasSpoken
  const [starter = 0] = processesWith('starter-process').filter((pid) => parentOf(pid) === process.pid)

  process.kill(starter, 'SIGKILL')

  expect(await outcome).toMatchObject({ exit: [null, 'SIGKILL'], error: undefined })
  expect((await outcome).stdout.toString()).toBe('before\n')
  await expect.poll(() => processesWith(mark)).toEqual([])
  const next = start('echo next')
  expect(next).not.toBeInstanceOf(ToldProgram)
  expect((await outcomeOf(next)).stdout.toString()).toBe('next\n')
  // After a rest there is another one.
  await expect
    .poll(async () => {
      const later = start('exit 3')
      expect((await outcomeOf(later)).exit).toEqual([3, null])
      return later instanceof ToldProgram
    })
    .toBe(true)
})

test('when it is closed, what it started ends, and nothing of it stays', async (context) => {
  const { expect } = context
  const [told, , starter] = await bothWays(context)
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('svc-start-'))
  const own = path.dirname(
    readFileSync(`/proc/${starter.pid}/cmdline`, 'utf8')
      .split('\0')
      .find((word) => word.endsWith('/streams')) ?? '',
  )
  expect(folders()).toContain(path.basename(own))
  const mark = `sleep 8${process.pid}`
  const outcome = outcomeOf(told('sh', ['-c', `${mark} & wait`], options))
  await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0)
  const { pid = 0 } = starter

  starter.close()

  expect((await outcome).exit).toEqual([null, 'SIGKILL'])
  await expect
    .poll(() => [processesWith(mark), existsSync(`/proc/${pid}`), existsSync(own)])
    .toEqual([[], false, false])
  expect(starter.start('true', [], options)).toBeUndefined()
})

test('what the system refuses is refused at once, and what is long is not told', async ({ expect, onTestFinished }) => {
  onTestFinished(await useStarter())
  await expect
    .poll(async () => {
      const program = startProgram('true', ['x'.repeat(1_000)], options)
      await outcomeOf(program)
      return program instanceof ToldProgram
    })
    .toBe(true)
  const room = toldBytesMax - Object.values(environment).join('').length

  expect(() => startProgram('true', ['a\0b'], options)).toThrow('null bytes')
  const [most, more] = [room, room + 1].map((length) => startProgram('true', ['x'.repeat(length)], options))
  expect([most instanceof ToldProgram, more instanceof ToldProgram]).toEqual([true, false])
  expect(
    (await Promise.all([most, more].map((one) => outcomeOf(one as StartedProgram)))).map(({ exit }) => exit),
  ).toEqual([
    [0, null],
    [0, null],
  ])
  expect(await runGit(['--version'], { cwd: '/', searchPath: environment.PATH })).toMatchObject({
    ok: true,
    value: { text: expect.stringMatching(/^git version /) },
  })
})

function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
}
