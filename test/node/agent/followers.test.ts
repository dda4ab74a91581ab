/** Many followers of one server, as the program that people start: what they cost, and that one which stalls costs them nothing. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import {
  type AgentProgram,
  followSession,
  killAgentProgram,
  residentMebibytes,
  startAgentProgram,
  steadyMebibytes,
} from '../../support/agent-program.ts'

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
let program: AgentProgram

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'followers-'))
  await mkdir(path.join(base, 'project'))
  program = await startAgentProgram(base)
})

afterEach(async () => {
  await killAgentProgram(program)
  await rm(base, { recursive: true, force: true })
})

async function post(target: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(target, program.address), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.status === 204 ? undefined : response.json()
}

test('two hundred idle ones cost bounded memory, each is served, and those that stall cost the others nothing', {
  tags: 'slow',
}, async ({ expect }) => {
  const { data } = (await post('/api/session', {})) as { data: { id: string } }
  const session = data.id
  const before = await steadyMebibytes(program)
  const all = await Promise.all(Array.from({ length: followers }, () => followSession(program.address, session)))

  expect((await residentMebibytes(program)) - before).toBeLessThan(idleMebibytesMax)

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
  expect((await residentMebibytes(program)) - before).toBeLessThan(stalledMebibytesMax)
  for (const { socket } of all) socket.destroy()
})
