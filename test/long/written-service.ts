/** The service as a program with what its clients know of it: an owner's session, a token, and services to act on. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { databasesOf } from '../../local/operating/databases.ts'
import type { RuntimeKind } from '../../local/workerd/runtime-kind.ts'
import { operationExamples } from '../../workers/app/contract/examples/all.ts'
import type { RouteDeclaration } from '../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import { freePort } from '../support/free-port.ts'
import { type HostProcess, runtimesOf, runtimeUnderTest, startServe } from '../support/process-host.ts'
import { goodMetadataKey } from '../support/stand-in-services.ts'
import { type Asked, type Asking, appApi, type Call, consoleApi } from './kept-kinds.ts'

const roundMsMax = 20_000
/** A long run gives way to everything else on its machine. */
const readyMsMax = 1_200_000

/** Of the App API, with the bodies that its document shows. */
const writingRoutes = appRouteDeclarations.filter(({ method }) => method !== 'get')

/** Their writers know what becomes of them. */
const keptOperations: ReadonlySet<string> = new Set([
  ...['addSubscription', 'setSubscriptionStatus', 'deleteSubscription', 'saveTemplate', 'resetTemplate'],
  ...['createConversation', 'deleteConversation'],
])

/** Those whose things nobody keeps account of. */
export const plainRoutes = writingRoutes.filter(({ operationId }) => !keptOperations.has(operationId))

const nobodysId = '999999'

export function callOf(route: RouteDeclaration): Call {
  const example = operationExamples.find(({ operationId }) => operationId === route.operationId)
  if (example === undefined) throw new Error(`${route.operationId} has no example`)
  return [route.method.toUpperCase(), `${appApi}${route.path.replace(/\{\w+\}/g, nobodysId)}`, example.body]
}

export class WrittenService implements Asking {
  readonly answers: Record<number, number> = {}
  /** Writing routes of the App API that had an answer. */
  readonly asked = new Set<string>()
  unanswered = 0
  readonly #dataFolder: string
  readonly #runtime: RuntimeKind
  #host: HostProcess | undefined
  #address = ''
  #cookie = ''
  #token: Readonly<Record<string, string>> = {}
  #calls = 0
  #answered = 0
  /** The same after each start: a session is one of its address. */
  #port = 0
  /** Answered calls that may change something, by their identifiers, since the last look. */
  #acknowledged: string[] = []
  /** The newest entry of the audit log at the last look. */
  #looked = 0

  constructor(dataFolder: string, runtime: RuntimeKind = runtimeUnderTest) {
    this.#dataFolder = dataFolder
    this.#runtime = runtime
  }

  async start(): Promise<number> {
    if (this.#port === 0) this.#port = await freePort()
    // Neither tool is asked anything, and each would have a port of its own.
    const flags = ['--workers', '--without', 'agent,viewer', '--data', this.#dataFolder]
    const started = performance.now()
    this.#host = startServe([...flags, '--runtime', this.#runtime, '--port', String(this.#port)])
    this.#address = await this.#host.ready(readyMsMax)
    return performance.now() - started
  }

  /** So many more answers have come. */
  async answered(count: number): Promise<void> {
    const [wanted, deadline] = [this.#answered + count, performance.now() + roundMsMax]
    while (this.#answered < wanted && performance.now() < deadline) await delay(1)
  }

  async kill(): Promise<void> {
    // Where the host is not the runtime itself both end at once.
    const runtimes = this.#runtime === 'node' ? [] : runtimesOf(this.#dataFolder, this.#runtime)
    for (const pid of runtimes) process.kill(pid, 'SIGKILL')
    this.#host?.child.kill('SIGKILL')
    await this.#host?.exit
  }

  /** An owner, a token that may do everything, and services to act on. */
  async setUp({ baseUrl, username, password }: DownloaderSettings, services: string): Promise<void> {
    const code = /setup\?code=([\w-]+)/.exec(this.#host?.stdout() ?? '')?.[1]
    const origin = this.#address
    const answer = await fetch(`${origin}${consoleApi}/setup`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code, password: 'harbour lanterns at four' }),
    })
    this.#cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const settle = async (method: string, path: string, body: object) => {
      const settled = await this.ask(method, `${consoleApi}${path}`, body)
      if (settled?.status !== 200) throw new Error(JSON.stringify(settled))
      return settled.body
    }
    const scopes = ['app:read', 'app:write']
    const { text } = await settle('POST', '/tokens', { name: 'writer', scopes, lifetime: 'never' })
    this.#token = { authorization: `Bearer ${text}` }
    const account = { username, password, enabled: true, default: true }
    await settle('POST', '/downloaders', { name: 'nas-1', type: 'qbittorrent', address: baseUrl, ...account })
    const metadata = { api_address: `${services}/3`, image_address: `${services}/t/p`, api_key: goodMetadataKey }
    await settle('PUT', '/settings/metadata', metadata)
    await settle('PUT', '/settings/assistant', { enabled: true, endpoint: 'own', model: 'default' })
  }

  async ask(method: string, path: string, body?: unknown): Promise<Asked | undefined> {
    this.#calls += 1
    const id = `call-${this.#calls}`
    const route = writingRoutes.find((one) => isOf(one, method, path))
    const caller = path.startsWith(appApi) ? this.#token : { cookie: this.#cookie, origin: this.#address }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...caller, ...type, 'x-request-id': id }
    try {
      const answer = await fetch(`${this.#address}${path}`, { method, headers, body: JSON.stringify(body) ?? null })
      const read = { status: answer.status, body: await answer.json() }
      this.#answered += 1
      this.answers[read.status] = (this.answers[read.status] ?? 0) + 1
      if (route !== undefined) this.asked.add(route.operationId)
      if (route?.permission === 'operate') this.#acknowledged.push(id)
      return read
    } catch {
      this.unanswered += 1
      return undefined
    }
  }

  /** What was answered was noted before it took effect. */
  lostFromAudit(): string[] {
    const [main] = databasesOf(this.#dataFolder)
    if (main === undefined) throw new Error('there is no main database')
    const database = new DatabaseSync(main.file, { readOnly: true })
    const entries = database
      .prepare('select id, request_id from audit_entries where id > ? order by id')
      .all(this.#looked) as { id: number; request_id: string }[]
    database.close()
    this.#looked = entries.at(-1)?.id ?? this.#looked
    const noted = new Set(entries.map(({ request_id }) => request_id))
    return this.#acknowledged.splice(0).flatMap((id) => (noted.has(id) ? [] : [`${id} is not in the audit log`]))
  }
}

function isOf(route: RouteDeclaration, method: string, path: string): boolean {
  const pattern = route.path.replace(/\{\w+\}/g, '[^/]+')
  return route.method.toUpperCase() === method && new RegExp(`^${appApi}${pattern}$`).test(path)
}
