import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { backgroundKeptPerSessionMax, backgroundPerSessionMax } from '../../../local/agent/limits.ts'
import { BackgroundOutput, readKept } from '../../../local/agent/runtime/tools/background-output.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { startFakeModel } from '../../support/fake-model.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ config: { permission: 'allow' } })
})
afterEach(() => server.close())

/** Says something whenever a file of that name is there, and goes on until another one is. */
const watcher =
  'echo up; while [ ! -e over ]; do [ -e more ] && rm more && echo again; sleep 0.05; done; echo bye; exit 3'

async function commandsOf(session: string) {
  return (await server.send('GET', `/api/session/${session}/background`)).body.data
}

async function started(command = watcher): Promise<{ session: string; id: string }> {
  server.model.script(
    { calls: [{ id: 'c1', name: 'bash', input: { command, background: true } }] },
    { text: ['It runs.'] },
  )
  const session = await server.firstTurn('Start it')
  const [{ id }] = await commandsOf(session)
  return { session, id }
}

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('it did not come to that')
    await delay(20)
  }
}

async function callsOf(session: string): Promise<string[]> {
  return (await server.messages(session)).flatMap((message) =>
    message.type === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool' ? [JSON.stringify(part.state)] : []))
      : [],
  )
}

describe('a command in the background', { timeout: 120_000 }, () => {
  test('goes on after its turn, is read from where it was left, and ended', async ({ expect }) => {
    const { session, id } = await started()
    expect((await callsOf(session))[0]).toContain(`up\\n(in the background as ${id})\\n(still running; mark 3)`)

    await server.write('more', '')
    server.model.script(
      { calls: [{ id: 'c2', name: 'bash_output', input: { id, wait: 30_000 } }] },
      { calls: [{ id: 'c3', name: 'bash_output', input: { id, since: 0 } }] },
      { calls: [{ id: 'c4', name: 'bash_stop', input: { id } }] },
      { calls: [{ id: 'c5', name: 'bash_output', input: { id: 'bgc_none' } }] },
      { text: ['Ended.'] },
    )
    await server.turn(session, 'Look')

    const [, second, third, fourth, fifth] = await callsOf(session)
    expect(second).toContain('"again\\n(still running; mark 9)"')
    expect(third).toContain('"up\\nagain\\n(still running; mark 9)"')
    expect(fourth).toContain('(stopped)')
    expect(fifth).toContain('There is no such command')
    expect(await commandsOf(session)).toMatchObject([{ id, status: 'stopped', bytes: 9, command: watcher }])
    expect(
      server.model.asked.at(-1)?.messages.some(({ content }) => JSON.stringify(content).includes('has ended')),
    ).toBe(false)
  })

  test('that ends by itself is told to the model with its next step, and begins none', async ({ expect }) => {
    const { session, id } = await started()
    const asked = server.model.asked.length
    await server.write('over', '')
    await until(async () => (await commandsOf(session))[0].status === 'exited')
    await server.wait(session)
    expect(server.model.asked).toHaveLength(asked)

    server.model.script({ text: ['I see.'] })
    await server.turn(session, 'And now?')
    expect(JSON.stringify(server.model.asked.at(-1)?.messages)).toContain(
      `The command ${id} that ran in the background has ended with exit code 3`,
    )
    const read = await server.send('GET', `/api/session/${session}/background/${id}?after=3`)
    expect(read.body.data).toMatchObject({ output: 'bye\n', mark: 7, leftOut: 0, exit: 3 })
  })

  test('that fails at once says so at once', async ({ expect }) => {
    const { session } = await started('echo no such thing; exit 7')
    expect((await callsOf(session))[0]).toMatch(/no such thing\\n\(in the background as bgc_\w+\)\\n\(exit code 7\)/)
  })

  test('is ended by the owner, which the model is told', async ({ expect }) => {
    const { session, id } = await started()
    expect((await server.send('DELETE', `/api/session/${session}/background/${id}`)).status).toBe(204)
    expect((await server.send('DELETE', `/api/session/${session}/background/${id}`)).status).toBe(204)
    expect(await commandsOf(session)).toMatchObject([{ status: 'stopped' }])
    server.model.script({ text: ['Fine.'] })
    await server.turn(session, 'Go on')
    expect(JSON.stringify(server.model.asked.at(-1)?.messages)).toContain(`The user stopped the command ${id}`)
  })

  test('that ended is told with the next prompt of the queue, and not answered ahead of it', async ({ expect }) => {
    const { session, id } = await started()
    await server.send('DELETE', `/api/session/${session}/background/${id}`)
    const asked = server.model.asked.length
    server.model.script({ text: ['Fine.'] })
    await server.prompt(session, 'Go on', { delivery: 'queue' })
    await server.wait(session)
    expect(server.model.asked).toHaveLength(asked + 1)
    const last = JSON.stringify(server.model.asked.at(-1)?.messages)
    expect(last.indexOf(`The user stopped the command ${id}`)).toBeGreaterThan(0)
    expect(last.indexOf('Go on')).toBeGreaterThan(last.indexOf(`The user stopped the command ${id}`))
  })

  test('belongs to its session', async ({ expect }) => {
    const { session, id } = await started()
    const other = await server.createSession()
    for (const [method, target] of [
      ['GET', `/api/session/${other}/background/${id}`],
      ['DELETE', `/api/session/${other}/background/${id}`],
      ['GET', '/api/session/ses_none/background'],
    ] as const) {
      expect((await server.send(method, target)).status, target).toBe(404)
    }
    expect(await commandsOf(other)).toEqual([])
    expect(await commandsOf(session)).toMatchObject([{ status: 'running' }])
  })

  test('is refused when as many as may run do', { tags: 'slow' }, async ({ expect }) => {
    const call = (id: number) => ({
      id: `c${id}`,
      name: 'bash',
      input: { command: `echo ${id}; sleep 300`, background: true },
    })
    const count = backgroundPerSessionMax
    server.model.script(...Array.from({ length: count + 1 }, (_, index) => ({ calls: [call(index)] })), {
      text: ['Done'],
    })
    const session = await server.firstTurn('Start them')
    const calls = await callsOf(session)
    expect(calls[count - 1]).toContain('still running')
    expect(calls[count]).toContain(`${count} commands of this session run in the background already`)
    expect(await commandsOf(session)).toHaveLength(count)
  })

  test('that ended is remembered until enough others have', { tags: 'slow' }, async ({ expect }) => {
    const count = backgroundKeptPerSessionMax + 2
    server.model.script(
      ...Array.from({ length: count }, (_, index) => ({
        calls: [{ id: `c${index}`, name: 'bash', input: { command: `echo ${index}`, background: true } }],
      })),
      { text: ['Done'] },
    )
    const session = await server.firstTurn('Start them')
    // The newest was begun when that many had ended.
    const kept = await commandsOf(session)
    expect(kept).toHaveLength(backgroundKeptPerSessionMax + 1)
    expect(kept[0].command).toBe('echo 1')
  })

  test('ends with its session, and leaves nothing of itself', async ({ expect }) => {
    const { session, id } = await started('echo $$ > pid; exec sleep 300')
    const [{ log }] = await commandsOf(session)
    const selection = 'olderThan=0&includeRecent=true'
    const { data } = (await server.send('GET', `/api/session/prune?${selection}`)).body
    const pruned = await server.send('POST', '/api/session/prune', {
      ...{ olderThan: 0, includeRecent: true, action: 'delete', apply: true },
      digest: data.digest,
    })
    expect(pruned.body.data.changed_sessions).toBe(1)
    expect((await server.send('GET', `/api/session/${session}/background/${id}`)).status).toBe(404)
    await expect(readFile(log)).rejects.toThrow('ENOENT')
  })

  test('ends with its server, and is known to have', async ({ expect }) => {
    const { session, id } = await started()
    await server.restart()
    expect(await commandsOf(session)).toMatchObject([{ id, status: 'stopped' }])
    server.model.script({ text: ['I see.'] })
    await server.turn(session, 'And now?')
    expect(JSON.stringify(server.model.asked.at(-1)?.messages)).toContain('The server stopped, and the command')
  })

  test('is denied with bash, with the tools that look after it', async ({ expect }) => {
    await server.close()
    server = await startTestServer({ config: { permission: { bash: 'deny' } } })
    server.model.script({ text: ['Well.'] })
    await server.firstTurn('Go')
    const names = server.model.asked[0]?.tools?.map((tool) => tool.function.name) ?? []
    expect(names).toContain('read')
    expect(names.filter((name) => name.startsWith('bash'))).toEqual([])
  })
})

test('after a crash it is said to have ended, with what it said, and is not run again', { timeout: 120_000 }, async ({
  expect,
}) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-background-')))
  const model = await startFakeModel()
  await mkdir(path.join(folder, 'project'))
  await mkdir(path.join(folder, 'config', 'svc'), { recursive: true })
  const settings = {
    model: 'fake/one',
    permission: 'allow',
    provider: { fake: { baseURL: model.url, models: { one: {} } } },
  }
  await writeFile(path.join(folder, 'config', 'svc', 'svc.json'), JSON.stringify(settings))
  const ask = async (address: string, method: string, target: string, body?: unknown) => {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const text = await (await fetch(`${address}${target}`, { method, ...init })).text()
    return text === '' ? undefined : JSON.parse(text).data
  }
  let running = await startAgentProgram(folder)
  try {
    const command = 'echo once >> runs; echo said; exec sleep 300'
    model.script({ calls: [{ id: 'c1', name: 'bash', input: { command, background: true } }] }, { text: ['On.'] })
    const { id: session } = await ask(running.address, 'POST', '/api/session', {})
    await ask(running.address, 'POST', `/api/session/${session}/prompt`, { prompt: { text: 'Start' } })
    await ask(running.address, 'POST', `/api/session/${session}/wait`)
    await killAgentProgram(running)
    running = await startAgentProgram(folder)

    const [known] = await ask(running.address, 'GET', `/api/session/${session}/background`)
    expect(known).toMatchObject({ status: 'lost', bytes: 5, command })
    const read = await ask(running.address, 'GET', `/api/session/${session}/background/${known.id}`)
    expect(read).toMatchObject({ output: 'said\n', leftOut: 0 })
    model.script({ text: ['I see.'] })
    await ask(running.address, 'POST', `/api/session/${session}/prompt`, { prompt: { text: 'Well?' } })
    await ask(running.address, 'POST', `/api/session/${session}/wait`)
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('ended when the server did')
    expect(await readFile(path.join(folder, 'project', 'runs'), 'utf8')).toBe('once\n')
  } finally {
    await killAgentProgram(running)
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
})

describe('what it said', () => {
  const bounds = { endBytesMax: 10, logBytesMax: 40 }
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'background-output-')))
    file = path.join(folder, 'kept', 'log.txt')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const text = (bytes: number) => Array.from({ length: bytes }, (_, index) => 'abcdefghij'[index % 10]).join('')

  test.for([1, 3, 7, 50])(
    'is read alike while it runs, at its end and from its file, in pieces of %i',
    (size, { expect }) => {
      for (const length of [0, 5, 40, 41, 50, 51, 300]) {
        const at = path.join(folder, `${size}-${length}`)
        const output = new BackgroundOutput(at, bounds)
        const whole = Buffer.from(text(length))
        for (let from = 0; from < whole.length; from += size) output.add(whole.subarray(from, from + size))
        for (const since of [0, 5, 39, 40, 45, length]) {
          const live = output.read(since, 1_000)
          expect(live.mark).toBe(length)
          const shown = live.text.replace(/\n… \(\d+ bytes are left out\)\n/, '')
          expect(shown.length + live.leftOutBytes).toBe(Math.max(0, length - since))
          if (length <= 50) expect(live).toEqual({ text: text(length).slice(since), mark: length, leftOutBytes: 0 })
        }
        const before = [0, 5, 45].map((since) => output.read(since, 1_000))
        output.end()
        output.close()
        expect([0, 5, 45].map((since) => readKept(at, length, bounds, since, 1_000))).toEqual(before)
      }
    },
  )

  test('is shown by both ends where it is more than one look takes', ({ expect }) => {
    const output = new BackgroundOutput(file, { endBytesMax: 10, logBytesMax: 1_000 })
    output.add(Buffer.from(text(100)))
    expect(output.read(0, 100)).toEqual({ text: text(100), mark: 100, leftOutBytes: 0 })
    expect(output.read(0, 20)).toEqual({
      text: 'abcdefghij\n… (80 bytes are left out)\nabcdefghij',
      mark: 100,
      leftOutBytes: 80,
    })
  })

  test('is not cut within a character, which comes whole with the next look', ({ expect }) => {
    const output = new BackgroundOutput(file, bounds)
    const bytes = Buffer.from('né')
    output.add(bytes.subarray(0, 2))
    expect(output.read(0, 100)).toEqual({ text: 'n', mark: 1, leftOutBytes: 0 })
    output.add(bytes.subarray(2))
    expect(output.read(1, 100)).toEqual({ text: 'é', mark: 3, leftOutBytes: 0 })
  })

  test('of which the file cannot be written is its end alone', ({ expect }) => {
    const output = new BackgroundOutput('/dev/null/log.txt', bounds)
    output.add(Buffer.from(text(30)))
    expect(output.read(0, 100)).toEqual({ text: '\n… (20 bytes are left out)\nabcdefghij', mark: 30, leftOutBytes: 20 })
    output.end()
  })
})
