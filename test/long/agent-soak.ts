/**
 * Many followers of sessions in which much happens, some of which read nothing: each that reads gets every event once,
 * each that stalls is told where it was and finds the rest from there, and memory stays within its bound.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type AgentProgram,
  type Follower,
  followSession,
  killAgentProgram,
  residentMebibytes,
  startAgentProgram,
  steadyMebibytes,
} from '../support/agent-program.ts'

export interface AgentSoakOptions {
  readonly seconds: number
  /** An empty folder. */
  readonly folder: string
  readonly log: (line: string) => void
}

export interface AgentSoakResult {
  readonly events: number
  readonly framesRead: number
  readonly stalledTold: number
  readonly mebibytesBefore: number
  readonly mebibytesPeak: number
  readonly faults: readonly string[]
}

const sessionCount = 2
const followersPerSession = 50
const stalledPerSession = 5
const eventsPerSecond = 50
/** Of one event: within a minute a reader that stalls has more waiting than its socket and its queue hold. */
const eventCharacters = 2_500
const growthMebibytesMax = 150
const catchUpMsMax = 60_000

export async function runAgentSoak({ seconds, folder, log }: AgentSoakOptions): Promise<AgentSoakResult> {
  await mkdir(path.join(folder, 'project'))
  const program = await startAgentProgram(folder)
  const faults: string[] = []
  try {
    const sessions = await Promise.all(Array.from({ length: sessionCount }, () => createSession(program)))
    const groups = await Promise.all(
      sessions.map(async (session) => ({
        session,
        followers: await Promise.all(
          Array.from({ length: followersPerSession }, () => followSession(program.address, session)),
        ),
      })),
    )
    const before = await steadyMebibytes(program)
    let peak = before
    for (const { followers } of groups) for (const { socket } of followers.slice(0, stalledPerSession)) socket.pause()
    const count = seconds * eventsPerSecond
    const started = performance.now()
    for (let sent = 0; sent < count; sent += 1) {
      await Promise.all(sessions.map((session) => switchModel(program, session, sent)))
      await delay(Math.max(0, started + ((sent + 1) * 1000) / eventsPerSecond - performance.now()))
      if (sent % eventsPerSecond !== 0) continue
      peak = Math.max(peak, await residentMebibytes(program))
      if (sent % (10 * eventsPerSecond) === 0) log(`${sent / eventsPerSecond} s, ${Math.round(peak)} MiB at most`)
    }
    const expected = Array.from({ length: count + 1 }, (_unused, seq) => seq)
    let stalledTold = 0
    for (const { session, followers } of groups) {
      for (const [index, follower] of followers.slice(stalledPerSession).entries()) {
        await untilSeen(follower, count)
        if (!isSame(follower.seen, expected)) faults.push(`reader ${index} of ${session} saw a gap or a double`)
      }
      for (const [index, follower] of followers.slice(0, stalledPerSession).entries()) {
        const seen = await readOn(program, session, follower, count)
        if (follower.lagged !== undefined) stalledTold += 1
        else if (seconds >= 60) faults.push(`stalled ${index} of ${session} was not told`)
        if (!isSame(seen, expected)) faults.push(`stalled ${index} of ${session} saw a gap or a double`)
      }
    }
    peak = Math.max(peak, await residentMebibytes(program))
    if (peak - before > growthMebibytesMax) faults.push(`memory grew by ${Math.round(peak - before)} MiB`)
    const all = groups.flatMap(({ followers }) => followers)
    for (const { socket } of all) socket.destroy()
    return {
      events: count * sessionCount,
      framesRead: all.reduce((sum, follower) => sum + follower.seen.length, 0),
      stalledTold,
      mebibytesBefore: Math.round(before),
      mebibytesPeak: Math.round(peak),
      faults,
    }
  } finally {
    await killAgentProgram(program)
  }
}

async function post({ address }: AgentProgram, target: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(target, address), { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response
}

async function createSession(program: AgentProgram): Promise<string> {
  const { data } = (await (await post(program, '/api/session', {})).json()) as { data: { id: string } }
  return data.id
}

/** One durable event of known size, without a model. */
async function switchModel(program: AgentProgram, session: string, number: number): Promise<void> {
  const model = { providerID: 'none', id: `${number}`.padEnd(eventCharacters, 'x') }
  await post(program, `/api/session/${session}/model`, { model })
}

async function untilSeen(follower: Follower, newest: number): Promise<void> {
  const deadline = performance.now() + catchUpMsMax
  while (follower.seen.at(-1) !== newest && !follower.socket.destroyed && performance.now() < deadline) await delay(20)
}

/** Reads what is left for one that stalled, then goes on from where it was told to. */
async function readOn(program: AgentProgram, session: string, follower: Follower, newest: number): Promise<number[]> {
  const closed = once(follower.socket, 'close')
  follower.socket.resume()
  await Promise.race([closed, untilSeen(follower, newest)])
  if (follower.lagged === undefined) return follower.seen
  const again = await followSession(program.address, session, follower.lagged)
  await untilSeen(again, newest)
  again.socket.destroy()
  return [...follower.seen, ...again.seen]
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index])
}
