/**
 * The Worker as the console sees it, with state in memory: for screens a real one cannot be brought into at will, and for
 * pictures. Every body that comes in and every answer that goes out is parsed by the contract, so it cannot drift.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import type {
  WireAuditEntry,
  WireConsoleDownloader,
  WireConsoleState,
  WireToken,
} from '../../workers/app/contract/console.ts'
import { consoleRouteDeclarations } from '../../workers/app/contract/console.ts'
import type { WireDownloader } from '../../workers/app/contract/downloaders.ts'
import type { RouteDeclaration } from '../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import type { WireTorrent, WireTorrentPage } from '../../workers/app/contract/torrents.ts'

const pages = path.resolve(import.meta.dirname, '../../dist/web/console')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export interface StandInState {
  isSetUp: boolean
  isSignedIn: boolean
  secrets: NonNullable<WireConsoleState['secrets']>
  password: string
  tokens: WireToken[]
  downloaders: WireConsoleDownloader[]
  statuses: WireDownloader[]
  torrents: WireTorrent[]
  failures: WireTorrentPage['failures']
  audit: WireAuditEntry[]
  nowUnix: number
}

/** An answer given instead of the usual one. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: each body was parsed by the contract of its own route
  readonly body: any
}

type Outcome = { readonly answer: unknown } | { readonly refusal: Refusal }

const done: Outcome = { answer: { ok: true } }
const refuse = (status: number, error: string, message: string): Outcome => ({ refusal: { status, error, message } })

export class StandInConsole {
  readonly state: StandInState
  /** By operationId: what is answered instead. */
  readonly refusals = new Map<string, Refusal>()
  /** By operationId: the answer waits for this. */
  readonly gates = new Map<string, Promise<void>>()
  /** By operationId, every body that came in. */
  readonly received = new Map<string, unknown[]>()
  #server: Server | undefined
  #origin = ''

  constructor(state: Partial<StandInState> = {}) {
    this.state = {
      isSetUp: true,
      isSignedIn: true,
      secrets: 'ready',
      password: 'correct horse battery',
      tokens: [],
      downloaders: [],
      statuses: [],
      torrents: [],
      failures: [],
      audit: [],
      nowUnix: Math.floor(Date.now() / 1000),
      ...state,
    }
  }

  get origin(): string {
    return this.#origin
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((cause) => {
        response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(String(cause))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.#server = server
    this.#origin = `http://127.0.0.1:${address.port}`
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#origin)
    if (!url.pathname.startsWith('/api/')) return serveFile(url.pathname, response)
    const found = findRoute(request.method ?? '', url.pathname)
    if (found === undefined) throw new Error(`${request.method} ${url.pathname} is no route of the contract`)
    const { route, params } = found
    const body = await readJson(request)
    this.received.set(route.operationId, [...(this.received.get(route.operationId) ?? []), body])
    await this.gates.get(route.operationId)
    const outcome = this.#answer(route, params, url, body)
    response.setHeader('content-type', 'application/json; charset=utf-8')
    if ('refusal' in outcome) {
      const { status, error, message, headers } = outcome.refusal
      response.writeHead(status, { ...headers })
      response.end(JSON.stringify({ error, message }))
      return
    }
    const schema = route.answers[200]
    if (schema === undefined || schema === 'image') throw new Error(`${route.operationId} answers no JSON`)
    response.end(JSON.stringify(schema.parse(outcome.answer)))
  }

  #answer(route: RouteDeclaration, params: readonly string[], url: URL, body: unknown): Outcome {
    const refusal = this.refusals.get(route.operationId)
    if (refusal !== undefined) return { refusal }
    if (route.permission !== 'public' && !this.state.isSignedIn) return refuse(401, 'unauthorized', '需要登录')
    const parsedBody =
      route.body === undefined ? { success: true as const, data: body } : route.body.safeParse(body ?? {})
    if (!parsedBody.success) return refuse(400, 'invalid_body', parsedBody.error.message)
    const query = route.query?.safeParse(Object.fromEntries(url.searchParams)) ?? { success: true as const, data: {} }
    if (!query.success) return refuse(400, 'invalid_argument', query.error.message)
    const handle = this.#handlers[route.operationId]
    if (handle === undefined) throw new Error(`no stand-in for ${route.operationId}`)
    return handle({ params, body: parsedBody.data, query: query.data })
  }

  readonly #handlers: Readonly<Record<string, (call: Call) => Outcome>> = {
    getConsoleState: () => ({
      answer: {
        signed_in: this.state.isSignedIn,
        set_up: this.state.isSetUp,
        setup_code_waits: !this.state.isSetUp,
        ...(this.state.isSignedIn ? { secrets: this.state.secrets } : {}),
        version: '0.1.0',
      } satisfies WireConsoleState,
    }),
    setUp: ({ body }) => {
      if (body.code !== 'one-time-code') return refuse(403, 'forbidden', '链接无效')
      Object.assign(this.state, { isSetUp: true, isSignedIn: true, password: body.password })
      return done
    },
    signIn: ({ body }) => {
      if (body.password !== this.state.password) return refuse(403, 'forbidden', '密码不正确')
      this.state.isSignedIn = true
      return done
    },
    signOut: () => {
      this.state.isSignedIn = false
      return done
    },
    changePassword: ({ body }) => {
      if (body.current !== this.state.password) return refuse(403, 'forbidden', '当前密码不正确')
      this.state.password = body.next
      return done
    },
    listTokens: () => ({ answer: { items: this.state.tokens } }),
    createToken: ({ body }) => {
      const token: WireToken = {
        id: `t${this.state.tokens.length + 1}`,
        name: body.name,
        scopes: body.scopes,
        created_at: this.state.nowUnix,
        ...(body.lifetime === 'never' ? {} : { expires_at: this.state.nowUnix + 90 * 86_400 }),
      }
      this.state.tokens = [token, ...this.state.tokens]
      return { answer: { token, text: 'wh_3vK8mQ2pX7nR5tY1cB9dF4gH6jL0sA' } }
    },
    revokeToken: ({ params }) => {
      this.state.tokens = this.state.tokens.filter((token) => token.id !== params[0])
      return done
    },
    listConsoleDownloaders: () => ({ answer: { items: this.state.downloaders } }),
    addDownloader: ({ body }) => this.#store(this.state.downloaders.length + 1, body),
    changeDownloader: ({ params, body }) => this.#store(Number(params[0]), body),
    removeDownloader: ({ params }) => {
      this.state.downloaders = this.state.downloaders.filter((one) => one.id !== Number(params[0]))
      return done
    },
    testDownloader: ({ body }) =>
      body.address.includes('refused')
        ? { answer: { reachable: false, error: '用户名或密码不正确' } }
        : { answer: { reachable: true, version: 'v5.1.0', free_space: 5_299_989_643_264 } },
    listAudit: ({ query }) => ({ answer: pageOf(this.state.audit, query) }),
    listDownloaders: () => ({ answer: { items: this.state.statuses } }),
    listTorrents: ({ query }) => {
      const words = typeof query['q'] === 'string' ? query['q'].toLowerCase() : ''
      const kept = this.state.torrents.filter(
        (torrent) =>
          (query['state'] === undefined || torrent.state === query['state']) &&
          (query['downloader_id'] === undefined || torrent.downloader_id === query['downloader_id']) &&
          torrent.title.toLowerCase().includes(words),
      )
      const column = (query['sort'] ?? 'added_at') as keyof WireTorrent
      const sign = query['order'] === 'asc' ? 1 : -1
      const sorted = kept.toSorted((a, b) => {
        const [x, y] = [a[column] ?? '', b[column] ?? '']
        return x === y ? 0 : sign * (x < y ? -1 : 1)
      })
      return { answer: { ...pageOf(sorted, query), failures: this.state.failures } }
    },
    actOnTorrents: ({ body }) => this.#act(body),
  }

  #store(id: number, body: Omit<WireConsoleDownloader, 'id' | 'has_password'> & { password?: string }): Outcome {
    const before = this.state.downloaders.find((one) => one.id === id)
    const { password, ...rest } = body
    const stored = {
      ...rest,
      id,
      has_password: password === undefined ? (before?.has_password ?? false) : password !== '',
    }
    const others = this.state.downloaders
      .filter((one) => one.id !== id)
      .map((one) => (stored.default ? { ...one, default: false } : one))
    this.state.downloaders = [...others, stored].sort((a, b) => a.id - b.id)
    return { answer: stored }
  }

  #act(body: { action: string; targets: { downloader_id: number; task_id: string }[] }): Outcome {
    const results = body.targets.map((target) => {
      const torrent = this.state.torrents.find(
        (one) => one.downloader_id === target.downloader_id && one.task_id === target.task_id,
      )
      if (torrent === undefined) return { ...target, success: false, message: '种子不存在' }
      if (body.action.startsWith('delete')) this.state.torrents = this.state.torrents.filter((one) => one !== torrent)
      else torrent.state = body.action === 'pause' ? 'paused' : torrent.progress < 100 ? 'downloading' : 'seeding'
      return { ...target, success: true }
    })
    const succeeded = results.filter((result) => result.success).length
    return { answer: { succeeded, failed: results.length - succeeded, results } }
  }
}

function pageOf<T>(items: readonly T[], query: Readonly<Record<string, unknown>>) {
  const page = Number(query['page'])
  const pageSize = Number(query['page_size'])
  return { items: items.slice((page - 1) * pageSize, page * pageSize), total: items.length, page, page_size: pageSize }
}

const declared: readonly { readonly prefix: string; readonly route: RouteDeclaration }[] = [
  ...appRouteDeclarations.map((route) => ({ prefix: '/api/app/v1', route })),
  ...consoleRouteDeclarations.map((route) => ({ prefix: '/api/console/v1', route })),
]

function findRoute(
  method: string,
  pathname: string,
): { route: RouteDeclaration; params: readonly string[] } | undefined {
  for (const { prefix, route } of declared) {
    if (route.method !== method.toLowerCase()) continue
    const pattern = new RegExp(`^${prefix}${route.path.replace(/\{[a-z_]+\}/g, '([^/]+)')}$`)
    const match = pattern.exec(pathname)
    if (match !== null) return { route, params: match.slice(1) }
  }
  return undefined
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  return text === '' ? undefined : JSON.parse(text)
}

/** The headers that the built page asks its server for, as Workers static assets read them. */
export function builtHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  let applies = false
  for (const line of readFileSync(path.join(pages, '_headers'), 'utf8').split('\n')) {
    if (/^\S/.test(line)) applies = line.trim() === '/*'
    const colon = line.indexOf(':')
    if (applies && /^\s/.test(line) && colon > 0) headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return headers
}

function serveFile(pathname: string, response: ServerResponse): void {
  const wanted = path.join(pages, pathname === '/' ? 'index.html' : path.normalize(pathname))
  let content: Buffer
  try {
    content = readFileSync(wanted)
  } catch {
    response.writeHead(404)
    response.end()
    return
  }
  response.writeHead(200, {
    ...builtHeaders(),
    'content-type': types[path.extname(wanted)] ?? 'application/octet-stream',
  })
  response.end(content)
}
