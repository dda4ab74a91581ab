/** What terminals leave behind: nothing, however they, their programs and their server end. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { terminalInputFrameBytesMax } from '../../../local/agent/limits.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { processesBelow, until } from '../../support/process-host.ts'
import { connectTerminal, createShell, processesOfSession } from '../../support/terminal-client.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(() => server.close())

/** Ignores what asks it to end, and so does a job of it that has a group of its own. */
const stubborn = 'trap "" HUP TERM; set -m; (while :; do sleep 1; done) & echo ready; while :; do sleep 1; done'

const pidOf = async (id: string): Promise<number> => (await server.send('GET', `/api/pty/${id}`)).body.data.pid

test('removing a terminal ends programs that do not want to end, and their jobs', async ({ expect }) => {
  const id = await createShell(server, stubborn)
  const client = await connectTerminal(server, id)
  await client.shows(/ready/)
  const session = await pidOf(id)
  expect(processesOfSession(session).length).toBeGreaterThan(2)

  expect((await server.send('DELETE', `/api/pty/${id}`)).status).toBe(204)
  expect(processesOfSession(session)).toEqual([])
})

test('what a program leaves running in its terminal ends with it', async ({ expect }) => {
  const id = await createShell(server, 'set -m; sleep 1000 & exit 0')
  const session = await pidOf(id)
  const client = await connectTerminal(server, id)
  expect(await client.closed).toBe(1000)
  await until(() => processesOfSession(session).length === 0)
})

test('a server that stops leaves no terminal and no reader', async ({ expect }) => {
  const id = await createShell(server, 'set -m; sleep 1000 & echo ready; cat')
  const session = await pidOf(id)
  const client = await connectTerminal(server, id)
  await client.shows(/ready/)
  await server.suspend()
  expect(await client.closed).toBe(1001)
  expect(processesOfSession(session)).toEqual([])
})

test('a server that is killed leaves no terminal, and what it starts in one knows none of its secrets', async ({
  expect,
}) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-pty-')))
  await mkdir(path.join(folder, 'project'))
  const password = 'canary-of-the-password'
  const program = await startAgentProgram(folder, {
    SVC_SERVER_PASSWORD: password,
    SVC_SERVER_USERNAME: 'canary-of-the-name',
  })
  const authorization = `Basic ${btoa(`canary-of-the-name:${password}`)}`
  const out = path.join(folder, 'out')
  const line = `{ env; cat /proc/$PPID/environ /proc/$PPID/cmdline; } >${out} 2>&1; mv ${out} ${out}.whole; ${stubborn}`
  const created = await fetch(`${program.address}/api/pty`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ command: '/bin/sh', args: ['-c', line] }),
  })
  const { pid } = ((await created.json()) as { data: { pid: number } }).data
  await until(async () => (await readdir(folder)).includes('out.whole'))
  const told = await readFile(`${out}.whole`, 'utf8')
  expect(told).toContain('TERM=xterm-256color')
  expect(told).not.toContain('canary')
  await until(() => processesOfSession(pid).length > 2)

  await killAgentProgram(program)
  await until(() => processesOfSession(pid).length === 0)
  await rm(folder, { recursive: true, force: true })
})

test('a hundred terminals that came and went leave no process and no descriptor', {
  timeout: 120_000,
  tags: 'slow',
}, async ({ expect }) => {
  const open = async () => {
    const id = await createShell(server, 'cat')
    const client = await connectTerminal(server, id)
    await server.send('DELETE', `/api/pty/${id}`)
    expect(await client.closed).toBe(1000)
  }
  const descriptors = async () => (await readdir('/proc/self/fd')).length
  const guards = () => processesBelow(process.pid).length
  await open()
  const [before, processes] = [await descriptors(), guards()]
  for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 20 }, open))

  await until(() => guards() <= processes)
  // Connections of the client's pool come and go; one descriptor a terminal would be a hundred.
  await until(async () => (await descriptors()) < before + 60)
  expect((await server.send('GET', '/api/pty')).body.data).toEqual([])
})

test('a program that floods its terminal, and a reader that does not read, hold up nobody', async ({ expect }) => {
  const flood = await createShell(server, 'exec yes')
  const stalled = await connectTerminal(server, flood)
  stalled.socket.pause()
  const reader = await connectTerminal(server, flood)
  await until(() => reader.text().length > 1024 * 1024)
  const other = await createShell(server, 'echo hello')
  const client = await connectTerminal(server, other)
  expect(await client.closed).toBe(1000)
  expect(client.text()).toBe('hello\r\n')
  expect((await server.send('DELETE', `/api/pty/${flood}`)).status).toBe(204)
  stalled.socket.terminate()
})

test('a frame of a mebibyte is typed whole; a larger one ends the connection', async ({ expect }) => {
  const id = await createShell(server, `stty raw -echo; echo ready; head -c ${terminalInputFrameBytesMax} | wc -c; cat`)
  const client = await connectTerminal(server, id)
  await client.shows(/ready/)
  client.socket.send(Buffer.alloc(terminalInputFrameBytesMax, 'x'))
  await client.shows(new RegExp(`\\b${terminalInputFrameBytesMax}\\b`))
  client.socket.send(Buffer.alloc(terminalInputFrameBytesMax + 1, 'x'))
  expect(await client.closed).toBe(1009)
  expect((await server.send('GET', `/api/pty/${id}`)).body.data.status).toBe('running')
})

test('what a program does not read waits, and the server goes on', async ({ expect }) => {
  const id = await createShell(server, 'stty raw -echo; echo ready; exec sleep 1000')
  const client = await connectTerminal(server, id)
  await client.shows(/ready/)
  for (let frame = 0; frame < 3; frame += 1) client.socket.send(Buffer.alloc(terminalInputFrameBytesMax, 'x'))
  expect((await server.send('GET', '/api/health')).status).toBe(200)
  const again = await connectTerminal(server, id)
  await again.shows(/ready/)
  expect((await server.send('DELETE', `/api/pty/${id}`)).status).toBe(204)
  client.socket.terminate()
})
