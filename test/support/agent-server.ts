/** An agent server of a temporary project on a free port, and a client that speaks to it over a socket. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AgentServerOptions } from '../../local/agent/compose/options.ts'
import { type RunningAgentServer, startAgentServer } from '../../local/agent/compose.ts'
import type { Message } from '../../local/agent/core/session/message.ts'
import { modelPrices } from '../../local/model-prices.ts'
import { type FakeModel, type ScriptedTurn, startFakeModel } from './fake-model.ts'
import { linkQuickFolder } from './memory-folder.ts'
import { requireReal } from './real-parts.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route; tests assert the parts they need
  readonly body: any
}

export interface StreamedEvent {
  readonly id?: string
  readonly event?: string
  readonly data: {
    readonly id: string
    readonly type: string
    readonly durable?: { readonly aggregateID: string; readonly seq: number; readonly version: number }
    // biome-ignore lint/suspicious/noExplicitAny: payloads of every event; tests assert the parts they need
    readonly data: any
  }
}

export interface TestServer {
  readonly model: FakeModel
  readonly project: string
  readonly dataDir: string
  readonly address: string
  readonly port: number
  /** Signs a browser in, once; with `hasBrowserAuth` alone. */
  readonly signInAddress: string
  send(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  createSession(): Promise<string>
  prompt(sessionId: string, text: string, more?: Record<string, unknown>): Promise<Answer>
  wait(sessionId: string): Promise<void>
  /** A prompt, until everything that it brings about is done. */
  turn(sessionId: string, text: string, more?: Record<string, unknown>): Promise<void>
  /** The first of a new session. */
  firstTurn(text: string, more?: Record<string, unknown>): Promise<string>
  messages(sessionId: string): Promise<Message[]>
  /** Reads a stream until `until` answers true for the events so far, then leaves. */
  events(
    target: string,
    until: (events: readonly StreamedEvent[]) => boolean,
    headers?: Record<string, string>,
  ): Promise<StreamedEvent[]>
  write(file: string, text: string): Promise<void>
  /** Stops the server and starts another one on the same data. */
  restart(options?: Partial<AgentServerOptions>): Promise<void>
  /** Stops the server until `restart`. */
  suspend(): Promise<void>
  close(): Promise<void>
}

/** Keys of a test's environment would otherwise be shown to the providers they are named for. */
const loopbackFetch: typeof fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') throw new TypeError(`fetch failed: ${hostname} is outside`)
  return fetch(input, init)
}

/** Where no sandbox is to be had, the tests that are about something else let commands run outside. */
const canEnclose = !requireReal('bwrap').isMissing

function allowingOutside(permission: unknown): unknown {
  return typeof permission === 'string' ? permission : { bash_outside: 'allow', ...(permission ?? {}) }
}

export async function startTestServer(
  options: Partial<AgentServerOptions> & { readonly config?: Record<string, unknown> } = {},
): Promise<TestServer> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-')))
  const project = path.join(base, 'project')
  const userFolder = path.join(base, 'config')
  await mkdir(project)
  await mkdir(userFolder)
  // Where a program that is started on this folder looks for it.
  const data = await linkQuickFolder(path.join(base, 'data'))
  const dataDir = await realpath(data.folder)
  const model = await startFakeModel()
  const { config, ...given } = options
  const settings = {
    model: 'fake/one',
    provider: {
      fake: { baseURL: model.url, models: { one: { context: 100_000, output: 4_000, cost: { input: 1, output: 2 } } } },
    },
    ...config,
    ...(canEnclose ? {} : { permission: allowingOutside(config?.['permission']) }),
  }
  await writeFile(path.join(userFolder, 'svc.json'), JSON.stringify(settings))
  const start = (more: Partial<AgentServerOptions> = {}): Promise<RunningAgentServer> =>
    startAgentServer({
      hostname: '127.0.0.1',
      port: 0,
      dataDir,
      directory: project,
      version: '0.0.0-test',
      credentials: undefined,
      places: { userFolder, extraFile: undefined },
      environment: { PATH: process.env['PATH'] ?? '', HOME: base },
      resolveHost: async () => ['127.0.0.1'],
      logger: { error: (event, fields) => console.error(event, fields) },
      modelAttemptsMax: 2,
      modelFetch: loopbackFetch,
      prices: async () => modelPrices(),
      ...given,
      ...more,
    })
  let server = await start()
  let isUp = true

  const self: TestServer = {
    model,
    project,
    dataDir,
    get address() {
      return server.address
    },
    get port() {
      return server.port
    },
    get signInAddress() {
      return server.signInAddress ?? ''
    },
    async send(method, target, body, headers = {}) {
      const response = await fetch(`${server.address}${target}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
    async createSession() {
      const created = await self.send('POST', '/api/session', {})
      if (created.status !== 200) throw new Error(created.text)
      return created.body.data.id
    },
    prompt: (sessionId, text, more = {}) =>
      self.send('POST', `/api/session/${sessionId}/prompt`, { prompt: { text }, ...more }),
    async wait(sessionId) {
      const waited = await self.send('POST', `/api/session/${sessionId}/wait`)
      if (waited.status !== 204) throw new Error(waited.text)
    },
    async turn(sessionId, text, more) {
      await self.prompt(sessionId, text, more)
      await self.wait(sessionId)
    },
    async firstTurn(text, more) {
      const session = await self.createSession()
      await self.turn(session, text, more)
      return session
    },
    async messages(sessionId) {
      const listed = await self.send('GET', `/api/session/${sessionId}/message?order=asc&limit=200`)
      return listed.body.data
    },
    events: (target, until, headers = {}) => readEvents(`${server.address}${target}`, until, headers),
    async write(file, text) {
      const full = path.join(project, file)
      await mkdir(path.dirname(full), { recursive: true })
      await writeFile(full, text)
    },
    async restart(more) {
      await self.suspend()
      server = await start(more)
      isUp = true
    },
    async suspend() {
      if (isUp) await server.close()
      isUp = false
    },
    async close() {
      await self.suspend()
      await model.close()
      await Promise.all([rm(base, { recursive: true, force: true }), data.remove()])
    },
  }
  return self
}

export async function readEvents(
  address: string,
  until: (events: readonly StreamedEvent[]) => boolean,
  headers: Record<string, string> = {},
): Promise<StreamedEvent[]> {
  const leave = new AbortController()
  const response = await fetch(address, { headers, signal: leave.signal })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
  const events: StreamedEvent[] = []
  if (until(events)) {
    leave.abort()
    return events
  }
  let rest = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = parseFrame(frame)
        if (event === undefined) continue
        events.push(event)
        if (until(events)) return events
      }
    }
  } finally {
    leave.abort()
  }
  return events
}

function parseFrame(frame: string): StreamedEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  const id = fields.get('id')
  const event = fields.get('event')
  return { ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }), data: JSON.parse(data) }
}

/** Has the model take these turns in a session of its own, and answers what became of each tool it called. */
export async function runTools(server: TestServer, ...turns: ScriptedTurn[]): Promise<string[]> {
  server.model.script(...turns)
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await server.wait(session)
  return (await server.messages(session)).flatMap((message) =>
    message.type === 'assistant'
      ? message.content.flatMap((part) =>
          part.type === 'tool' ? [`${part.state.status} ${JSON.stringify(part.state)}`] : [],
        )
      : [],
  )
}
