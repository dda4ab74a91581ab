/** The agent server alone, as people start it: `npm run bench -- agent`. Medians of the rounds are printed. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type AgentProgram, residentMebibytes, startAgentProgram } from '../support/agent-program.ts'
import { readEvents } from '../support/agent-server.ts'
import { type AskedRequest, startFakeModel } from '../support/fake-model.ts'
import { fillLongSession } from '../support/long-session.ts'
import { loopClock, readLoopClock } from '../support/loop-clock.ts'
import { measureHealthFloor } from './health-floor.ts'
import { generateLoad } from './load.ts'
import { measureLongAnswers } from './long-answers.ts'
import { measureManySessions } from './many-sessions.ts'
import { measureShellCall } from './shell-call.ts'

const rounds = 5
const loadSeconds = 2
const turns = 40
const connections = 10

interface Row {
  readonly figure: string
  readonly value: string
  readonly target: string
}

const rows: Row[] = []
const note = (figure: string, value: string, target: string) => void rows.push({ figure, value, target })

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

async function start(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<AgentProgram & { readyMs: number }> {
  const began = performance.now()
  const program = await startAgentProgram(folder, environment)
  return { ...program, readyMs: performance.now() - began }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

async function post(address: string, target: string, body: unknown) {
  const response = await fetch(`${address}${target}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status >= 400) throw new Error(text)
  return text === '' ? undefined : JSON.parse(text)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function load(url: string): Promise<number> {
  const found = []
  for (let round = 0; round < rounds; round += 1) {
    const { requestsPerSecond, byStatus } = await generateLoad({ url, connections, seconds: loadSeconds })
    if (Object.keys(byStatus).join() !== '200') throw new Error(`${url} answered ${JSON.stringify(byStatus)}`)
    found.push(requestsPerSecond)
  }
  return median(found)
}

/** Time to the first text when the provider is asked the same without us: what it makes of the question is its own. */
async function firstTextOfProvider(url: string, asked: AskedRequest | undefined): Promise<number> {
  const body = JSON.stringify(asked)
  const times = []
  for (let round = 0; round < turns; round += 1) {
    const began = performance.now()
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', body })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8')
      if (text.includes('Hello')) break
    }
    times.push(performance.now() - began)
  }
  return median(times.slice(1))
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'agent-bench-'))
const model = await startFakeModel()
try {
  await mkdir(path.join(folder, 'project'))
  await mkdir(path.join(folder, 'config', 'svc'), { recursive: true })
  await writeFile(
    path.join(folder, 'config', 'svc', 'svc.json'),
    JSON.stringify({ model: 'fake/one', provider: { fake: { baseURL: model.url, models: { one: {} } } } }),
  )
  const ready = []
  for (let round = 0; round < rounds; round += 1) {
    const started = await start(folder)
    ready.push(started.readyMs)
    await stop(started.child)
  }
  note('ready', `${median(ready).toFixed(0)} ms`, '<= 400 ms')

  const program = await start(folder)
  const { child, address } = program
  await delay(500)
  note('idle memory', `${(await residentMebibytes(program)).toFixed(0)} MiB`, '<= 130 MB')
  for (let index = 0; index < 50; index += 1) await post(address, '/api/session', {})
  const { data } = await post(address, '/api/session', {})
  const session = data.id as string

  model.otherwise({ text: ['Hello'] })
  const firstText = []
  let newest = 0
  for (let round = 0; round < turns; round += 1) {
    const after = newest
    const seen = readEvents(`${address}/api/session/${session}/event?after=${after}`, (events) =>
      events.some((event) => event.data.type === 'session.next.text.delta'),
    )
    await delay(20)
    const began = performance.now()
    await post(address, `/api/session/${session}/prompt`, { prompt: { text: 'Hi' } })
    await seen
    firstText.push(performance.now() - began)
    await post(address, `/api/session/${session}/wait`, {})
    const history = await fetch(`${address}/api/session/${session}/history?limit=100&after=${after}`)
    const page = (await history.json()) as { data: { durable: { seq: number } }[] }
    newest = page.data.at(-1)?.durable.seq ?? after
  }
  const overhead = median(firstText.slice(1)) - (await firstTextOfProvider(model.url, model.asked.at(-1)))
  note('overhead to first text', `${overhead.toFixed(1)} ms`, '<= 12 ms')
  note('first text of the first turn', `${(firstText[0] ?? 0).toFixed(0)} ms`, '')

  const admission = []
  for (let round = 0; round < 90; round += 1) {
    admission.push(
      await timed(() => post(address, `/api/session/${session}/prompt`, { prompt: { text: 'Hi' }, resume: false })),
    )
  }
  note('prompt admission', `${median(admission).toFixed(1)} ms`, '<= 5 ms')
  const models = []
  for (let round = 0; round < 50; round += 1)
    models.push(await timed(async () => (await fetch(`${address}/api/model`)).text()))
  note('/api/model', `${median(models).toFixed(1)} ms`, '<= 2 ms')

  const { ours, bare } = await measureHealthFloor(program)
  note('/api/health', `${ours.requestsPerSecond.toFixed(0)} req/s`, '>= 20,000 req/s')
  note('the same answer of a bare server, by turns', `${bare.requestsPerSecond.toFixed(0)} req/s`, '')
  note('processor a request', `${ours.processorMicroseconds.toFixed(0)} µs`, '')
  note('of it with a bare server', `${bare.processorMicroseconds.toFixed(0)} µs`, '')
  note('/api/session, 50 rows', `${(await load(`${address}/api/session`)).toFixed(0)} req/s`, '>= 4,000 req/s')
  note(
    'message page',
    `${(await load(`${address}/api/session/${session}/message`)).toFixed(0)} req/s`,
    '>= 3,000 req/s',
  )

  const shell = await measureShellCall()
  if (shell === undefined) note('bash call in the sandbox', 'no sandbox here', '<= 15 ms more')
  else {
    const { outsideMs, madeMs, waitingMs } = shell
    const shown = (ms: number) => `${ms.toFixed(1)} ms (${ms < outsideMs ? '' : '+'}${(ms - outsideMs).toFixed(1)} ms)`
    note('bash call outside of the sandbox', `${outsideMs.toFixed(1)} ms`, '')
    note('bash call in the sandbox, made for it', shown(madeMs), '<= 15 ms more')
    note('bash call in the sandbox, one that waited', shown(waitingMs), '<= 15 ms more')
  }

  const replayed = (await post(address, '/api/session', {})).data.id as string
  const eventCount = 10_000
  for (let index = 0; index < eventCount; index += 20) {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        post(address, `/api/session/${replayed}/model`, { model: { id: 'one', providerID: 'fake' } }),
      ),
    )
  }
  const replay = []
  for (let round = 0; round < rounds; round += 1)
    replay.push(eventCount / ((await timed(() => readWhole(replayed))) / 1000))
  note('replay of 10,000 events', `${median(replay).toFixed(0)} events/s`, '>= 100,000 events/s')

  const before = await residentMebibytes(program)
  const leave = new AbortController()
  await Promise.all(
    Array.from({ length: 200 }, () =>
      fetch(`${address}/api/session/${replayed}/event?after=${eventCount}`, { signal: leave.signal }),
    ),
  )
  await delay(500)
  note('200 idle subscribers', `+${((await residentMebibytes(program)) - before).toFixed(0)} MiB`, 'bounded')
  leave.abort()
  await stop(child)

  const answersClock = path.join(folder, 'answers-clock.json')
  const answering = await start(folder, loopClock(answersClock))
  for (const { kilobytes, ms, slowestHealthMs } of await measureLongAnswers(answering.address, model)) {
    note(`answer of ${kilobytes / 1000} MB`, `${(ms / 1000).toFixed(2)} s`, 'linear, ends at 768 KiB')
    note('slowest /api/health beside it', `${slowestHealthMs.toFixed(0)} ms`, '<= 20 ms')
  }
  await stop(answering.child)
  const answered = await readLoopClock(answersClock)
  note('its loop was held by long answers, p99.9', `${answered.p999Ms.toFixed(0)} ms of its processor`, '<= 20 ms')
  note('its loop was held by long answers, longest', `${answered.longestMs.toFixed(0)} ms of its processor`, '<= 20 ms')

  const longSession = fillLongSession(path.join(folder, 'data', 'agent.db'), path.join(folder, 'project'))
  const clockFile = path.join(folder, 'loop-clock.json')
  const busy = await start(folder, loopClock(clockFile))
  const many = await measureManySessions(busy, model, longSession)
  note(`${many.sessions} sessions at once, each a command and 20 KB`, `${(many.ms / 1000).toFixed(1)} s`, '')
  note('most memory of the server meanwhile', `${many.mebibytesMost.toFixed(0)} MiB`, '<= 350 MiB')
  note('slowest /api/health meanwhile', `${many.slowestHealthMs.toFixed(0)} ms`, '')
  note('slowest page of 50,000 events meanwhile', `${many.slowestPageMs.toFixed(0)} ms`, '<= 300 ms')
  await stop(busy.child)
  const held = await readLoopClock(clockFile)
  note('its loop was held meanwhile, p99.9', `${held.p999Ms.toFixed(0)} ms of its processor`, '<= 20 ms')
  note('its loop was held meanwhile, longest', `${held.longestMs.toFixed(0)} ms of its processor`, '<= 20 ms')

  /** Reads the replay as bytes: parsing it would measure the reader. */
  async function readWhole(id: string): Promise<void> {
    const stopReading = new AbortController()
    const response = await fetch(`${address}/api/session/${id}/event`, { signal: stopReading.signal })
    const last = Buffer.from(`id: ${id}:${eventCount}\n`)
    let tail = Buffer.alloc(0)
    for await (const chunk of response.body ?? []) {
      tail = Buffer.concat([tail.subarray(-last.length), chunk])
      if (tail.includes(last)) break
    }
    stopReading.abort()
  }
} finally {
  await model.close()
  await rm(folder, { recursive: true, force: true })
}
console.table(rows)
