/** Many followers of one server, as the program that people start: what they cost, and that one which stalls costs them nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, test } from 'vitest'

const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
const followers = 200
const stalled = 10
const readers = 10
/** Twice what a stalled socket and its queue hold. */
const prompts = 50
const big = 'x'.repeat(200_000)
/** What 200 sockets, their queues and the garbage of opening them may take. */
const idleMebibytesMax = 40
/** Each stalled one may hold a queue of 1 MiB and what Node and the kernel keep of its socket. */
const stalledMebibytesMax = 150
let base: string
let child: ChildProcess
let address: URL

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'followers-'))
  await mkdir(path.join(base, 'project'))
  child = spawn(process.execPath, [svc, 'serve', '--data', path.join(base, 'data')], {
    cwd: path.join(base, 'project'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: base, XDG_CONFIG_HOME: path.join(base, 'config') },
  })
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    const found = /listening on (http:\S+)\n/.exec(output)?.[1]
    if (found === undefined) continue
    address = new URL(found)
    return
  }
  throw new Error(`the server did not start: ${output}`)
})

afterEach(async () => {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await rm(base, { recursive: true, force: true })
})

async function residentMebibytes(): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Once what is loaded ahead of its use is there, and nothing else comes. */
async function steadyMebibytes(): Promise<number> {
  let last = 0
  for (let looks = 0; looks < 100; looks += 1) {
    const now = await residentMebibytes()
    if (Math.abs(now - last) < 0.5) return now
    last = now
    await delay(200)
  }
  throw new Error('the memory of the server does not come to rest')
}

async function post(target: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(target, address), { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.status === 204 ? undefined : response.json()
}

interface Follower {
  readonly socket: Socket
  /** Positions that have arrived, as they are in the id lines. */
  readonly seen: number[]
}

async function follow(session: string): Promise<Follower> {
  const socket = connect(Number(address.port), address.hostname)
  const seen: number[] = []
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('id: ')) seen.push(Number(line.slice(line.indexOf(':', 4) + 1)))
  })
  socket.write(`GET /api/session/${session}/event HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`)
  await once(socket, 'data')
  return { socket, seen }
}

test('two hundred idle ones cost bounded memory, each is served, and those that stall cost the others nothing', async ({
  expect,
}) => {
  const { data } = (await post('/api/session', {})) as { data: { id: string } }
  const session = data.id
  const before = await steadyMebibytes()
  const all = await Promise.all(Array.from({ length: followers }, () => follow(session)))

  expect((await residentMebibytes()) - before).toBeLessThan(idleMebibytesMax)

  await post(`/api/session/${session}/prompt`, { prompt: { text: 'small' }, resume: false })
  for (const { seen } of all) await expect.poll(() => seen, { timeout: 30_000 }).toEqual([0, 1])

  const [idle, reading] = [all.slice(0, stalled), all.slice(stalled, stalled + readers)]
  for (const { socket } of all.slice(stalled + readers)) socket.destroy()
  for (const { socket } of idle) socket.pause()
  for (let count = 0; count < prompts; count += 1) {
    await post(`/api/session/${session}/prompt`, { prompt: { text: big }, resume: false })
  }

  const expected = Array.from({ length: prompts + 2 }, (_unused, seq) => seq)
  for (const { seen } of reading) await expect.poll(() => seen, { timeout: 30_000 }).toEqual(expected)
  expect((await residentMebibytes()) - before).toBeLessThan(stalledMebibytesMax)
  for (const { socket } of all) socket.destroy()
})
