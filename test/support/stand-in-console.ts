/**
 * The Worker as the console sees it, with state in memory: for screens a real one cannot be brought into at will, and for
 * pictures. Every body that comes in and every answer that goes out is parsed by the contract, its source, so it cannot drift.
 */

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { succeed } from '#shared/kernel/result.ts'
import { eventFrame } from '#shared/sse/frame.ts'
import { rulesText } from '../../workers/app/adapters/rules-text.ts'
import { checkDefinition } from '../../workers/app/adapters/sites/cardigann/definition-service.ts'
import { previewTemplate } from '../../workers/app/adapters/template-engine.ts'
import type {
  WireAuditEntry,
  WireConsoleDownloader,
  WireConsoleState,
  WireToken,
} from '../../workers/app/contract/console.ts'
import { consoleRouteDeclarations } from '../../workers/app/contract/console.ts'
import type { WireBackup, WireBackupList } from '../../workers/app/contract/console-backups.ts'
import type {
  BrushTaskBody,
  WireBrushLeftList,
  WireBrushTorrent,
  WireConsoleBrushTask,
} from '../../workers/app/contract/console-brush.ts'
import type { ChannelBody, WireChannel } from '../../workers/app/contract/console-channels.ts'
import type { WireChatBot } from '../../workers/app/contract/console-chats.ts'
import type { WireCookiePush } from '../../workers/app/contract/console-cookies.ts'
import type { WireDefinitionAdded, WireOwnDefinition } from '../../workers/app/contract/console-definitions.ts'
import type { WireDevice } from '../../workers/app/contract/console-devices.ts'
import type { EndRuleBody, WireEnd, WireStoredEndRule } from '../../workers/app/contract/console-ends.ts'
import type { WireFeedItem } from '../../workers/app/contract/console-feed-items.ts'
import type { FeedBody, WireFeed } from '../../workers/app/contract/console-feeds.ts'
import type { WireHealth } from '../../workers/app/contract/console-health.ts'
import type { WireJob } from '../../workers/app/contract/console-jobs.ts'
import type { LibraryBody, WireLibrary } from '../../workers/app/contract/console-libraries.ts'
import type { WirePasskey } from '../../workers/app/contract/console-passkeys.ts'
import type { ReseedBody, WireReseed, WireReseedService } from '../../workers/app/contract/console-reseed.ts'
import type { RuleBody, RuleTrial, WireStoredRule } from '../../workers/app/contract/console-rules.ts'
import { type SearchEvents, streamSearch, toFoundTorrent } from '../../workers/app/contract/console-search.ts'
import type {
  WireFreeEndSettings,
  WireLocaleSettings,
  WireUpdateSettings,
} from '../../workers/app/contract/console-settings.ts'
import type {
  SiteBody,
  WireConsoleSite,
  WirePromotions,
  WireSiteUsual,
} from '../../workers/app/contract/console-sites.ts'
import type {
  QualityProfileBody,
  WireProfileTrial,
  WireQualityProfile,
} from '../../workers/app/contract/console-subscriptions.ts'
import type { WireTorrentEvent } from '../../workers/app/contract/console-torrents.ts'
import type { WireTransfer } from '../../workers/app/contract/console-transfers.ts'
import type { WatchlistBody, WireWatchlist, WireWatchlistItem } from '../../workers/app/contract/console-watchlists.ts'
import type { WireDownloader } from '../../workers/app/contract/downloaders.ts'
import { wireErrorCode } from '../../workers/app/contract/error.ts'
import type { WireExploreItem } from '../../workers/app/contract/explore.ts'
import type { WireMediaRecord } from '../../workers/app/contract/media.ts'
import type { WireOverview } from '../../workers/app/contract/overview.ts'
import type { PushWhyBody } from '../../workers/app/contract/push-why.ts'
import type { RouteDeclaration } from '../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import type { WireSearchItem } from '../../workers/app/contract/search.ts'
import { siteDefinitions } from '../../workers/app/contract/site-definition.ts'
import type { WireSitePlan } from '../../workers/app/contract/site-plans.ts'
import type {
  WireReadFigure,
  WireSeedingDuty,
  WireSiteDay,
  WireSiteStanding,
} from '../../workers/app/contract/site-watch.ts'
import type { WireAttendance, WireSite } from '../../workers/app/contract/sites.ts'
import type { WireTask } from '../../workers/app/contract/tasks.ts'
import type { TorrentRunBody, WireTorrentRun } from '../../workers/app/contract/torrent-runs.ts'
import type {
  WireTorrent,
  WireTorrentChange,
  WireTorrentDetails,
  WireTorrentPage,
} from '../../workers/app/contract/torrents.ts'
import type { WireRelease } from '../../workers/app/contract/updates.ts'
import { channelServices } from '../../workers/app/core/channel-services/services.ts'
import type { DownloaderTarget } from '../../workers/app/core/downloader.ts'
import { wrongField } from '../../workers/app/core/failure.ts'
import { stopForSpace } from '../../workers/app/core/push-plan.ts'
import { inChinese } from '../../workers/app/core/reason/chinese.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'
import { siteAbilities } from '../../workers/app/core/site.ts'
import { eventIn, templateEventOf } from '../../workers/app/core/template-events.ts'
import type { SiteKind } from '../../workers/app/core/vocabulary.ts'
import { chatCommands, eventTypes, type TemplateType } from '../../workers/app/core/vocabulary.ts'
import type { BoundRoute } from '../../workers/app/http/bind.ts'
import { followTorrents } from '../../workers/app/http/follow-torrents.ts'
import { wireChannelServices } from '../../workers/app/http/routes/console-channels.ts'
import { consoleFeedItemRoutes } from '../../workers/app/http/routes/console-feed-items.ts'
import { consoleRuleRoutes } from '../../workers/app/http/routes/console-rules.ts'
import { pushWhyRoutes } from '../../workers/app/http/routes/push-why.ts'
import { templateRoutes } from '../../workers/app/http/routes/templates.ts'
import type { StoredTemplate } from '../../workers/app/ports/messages.ts'
import { gatewayAnswers, type InventedGateway, noGateway } from './invented-gateway.ts'
import type { InventedSubscription } from './invented-subscriptions.ts'
import { inventedTorrentDetails } from './invented-torrent.ts'
import { localeOf } from './locale-of.ts'
import { endServer, listenOnLoopback } from './loopback.ts'
import { said, saying, withReason } from './said.ts'
import { type AssistantState, noAssistant, StandInAssistant } from './stand-in-assistant.ts'
import { filtered, groupsOf } from './stand-in-torrents.ts'

const pages = path.resolve(import.meta.dirname, '../../dist/web/console')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Of an owner whose private half nobody has. */
export const standInPushKey = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'

/** What the service's own route answers. */
async function ofRoutes(routes: readonly BoundRoute[], operationId: string, call: object): Promise<Outcome> {
  const bound = routes.find(({ route }) => route.operationId === operationId)
  const principal = { kind: 'session', id: 'session', scopes: ['app:read', 'app:write'] } as const
  const given = { say: inChinese, ...call, principal } as unknown as Parameters<BoundRoute['handle']>[0]
  const reply = await bound?.handle(given)
  if (reply === undefined) throw new Error(operationId)
  if (reply.ok) return { answer: reply.value.body }
  const { status, error } = wireErrorCode(reply.failure.code)
  return refuse(status, error, reply.failure.reason)
}

const nothingChosen = { chosen: 0, size: 0 }
const nothingTaken = { taken: 0, billed: 0, size: 0, unsized: 0, left: 0 }

export interface StandInState {
  isSetUp: boolean
  isSignedIn: boolean
  secrets: NonNullable<WireConsoleState['secrets']>
  password: string
  tokens: WireToken[]
  devices: WireDevice[]
  passkeys: WirePasskey[]
  downloaders: WireConsoleDownloader[]
  statuses: WireDownloader[]
  torrents: WireTorrent[]
  /** Each look at one that is under way does a hundred more. */
  torrentRuns: StandInRun[]
  /** Of whichever torrent is asked for. */
  torrentDetails: Omit<WireTorrentDetails, 'torrent'>
  /** Of whichever torrent is asked for. */
  torrentEvents: WireTorrentEvent[]
  failures: WireTorrentPage['failures']
  audit: WireAuditEntry[]
  sites: WireConsoleSite[]
  ownDefinitions: WireOwnDefinition[]
  liveSites: WireSite[]
  userError: Reason | undefined
  today: WireOverview['today']
  /** Growth a day, oldest first; repeated for as many days as are asked for. */
  growth: readonly {
    readonly uploaded: number
    readonly downloaded: number
    readonly bonus: number
    readonly sites: number
  }[]
  /** Of each site the same. */
  standing: WireSiteStanding
  sitePlan: WireSitePlan | undefined
  /** What a simulation comes to. */
  simulated: WireSitePlan | undefined
  readFigures: { readonly items: readonly WireReadFigure[]; readonly read_at?: number }
  siteDays: WireSiteDay[]
  promotions: WirePromotions
  usual: WireSiteUsual
  duties: { readonly rule?: { seed_hours?: number; ratio?: number }; readonly items: WireSeedingDuty[] }
  jobs: WireJob[]
  /** What is wrong with the machine. */
  problems: WireHealth['problems']
  /** Undefined at the edge. */
  backups: WireBackup[] | undefined
  bucket: WireBackupList['bucket']
  addresses: string[]
  found: WireSearchItem[]
  searchErrors: { site: string; reason: Reason }[]
  tasks: WireTask[]
  /** Empty: no key is stored. */
  metadataKey: string
  metadataAddresses: { api_address: string; image_address: string }
  titles: WireExploreItem[]
  subscriptions: InventedSubscription[]
  profiles: WireQualityProfile[]
  proxyHost: string | undefined
  localeSettings: WireLocaleSettings
  freeEndSettings: WireFreeEndSettings
  updateSettings: WireUpdateSettings
  newReleases: WireRelease[]
  cookiePush: { uuid: string; takenAt: number; renewed: string[] } | undefined
  /** The owner's own texts, by event. */
  templates: Map<TemplateType, StoredTemplate>
  channels: WireChannel[]
  chatBot: WireChatBot
  watchlists: WireWatchlist[]
  watchlistItems: WireWatchlistItem[]
  libraries: WireLibrary[]
  mediaHistory: WireMediaRecord[]
  brushTasks: WireConsoleBrushTask[]
  feeds: WireFeed[]
  feedItems: WireFeedItem[]
  rules: WireStoredRule[]
  ruleTrial: RuleTrial
  profileTrial: WireProfileTrial
  transfers: WireTransfer[]
  reseed: ReseedBody & { items: WireReseed[]; service: WireReseedService }
  endMode: 'off' | 'dry' | 'on'
  endRules: WireStoredEndRule[]
  ends: WireEnd[]
  /** Of every task. */
  brushTorrents: WireBrushTorrent[]
  brushLeft: WireBrushLeftList
  assistant: AssistantState
  gateway: InventedGateway
  nowUnix: number
}

interface StandInRun {
  readonly run: WireTorrentRun
  readonly before: readonly WireTorrent[]
}

/** Before it is set up. */
/** Lists whose rows have an id. */
type RowList = {
  [K in keyof StandInState]: StandInState[K] extends readonly { readonly id: number | string }[] ? K : never
}[keyof StandInState]

export const noReseeds: StandInState['reseed'] = {
  ...{ enabled: false, sites: [], asks_per_day: 50, items: [] },
  service: { address: '', has_token: false, sites: [] },
}

/** An answer given instead of the usual one. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly reason: Reason
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: each body was parsed by the contract of its own route
  readonly body: any
  /** When the caller leaves. */
  readonly closed: AbortSignal
}

type Outcome = { readonly answer: unknown; readonly status?: number } | { readonly refusal: Refusal }

const done: Outcome = { answer: { ok: true } }
const refuse = (status: number, error: string, reason: Reason): Outcome => ({ refusal: { status, error, reason } })

type SearchBody = (typeof streamSearch)['body']['_output']

/** What the console is told of a result beside what every caller gets. */
function foundFacts(kind: SiteKind, { torrent_id, title, subtitle }: WireSearchItem) {
  const hit = { torrentId: torrent_id, title, subtitle, tags: [], discount: 'NONE', hasHr: false } as const
  return toFoundTorrent({ kind, baseUrl: 'https://tracker.example' }, hit)
}

/**
 * An address that outlives the stand-ins behind it: to the browser the next one is the same site, whose files it has
 * fetched and compiled. With nobody behind it no request is answered.
 */
export class StandInDoor {
  behind: StandInConsole | undefined
  origin = ''
  readonly #server = createServer((request, response) => {
    if (this.behind === undefined) request.destroy()
    else this.behind.serve(request, response)
  })

  async open(): Promise<void> {
    this.origin = (await listenOnLoopback(this.#server)).url
  }

  leave(): void {
    this.behind = undefined
    this.#server.closeAllConnections()
  }

  close(): Promise<void> {
    return endServer(this.#server)
  }
}

export class StandInConsole {
  readonly state: StandInState
  readonly assistant: StandInAssistant
  /** By operationId: what is answered instead. */
  readonly refusals = new Map<string, Refusal>()
  /** By operationId: the answer waits for this. */
  readonly gates = new Map<string, Promise<void>>()
  /** By operationId, every body that came in. */
  readonly received = new Map<string, unknown[]>()
  /** How many follow the list. */
  streams = 0
  readonly #own = new StandInDoor()
  #door: StandInDoor | undefined

  constructor(state: Partial<StandInState> = {}) {
    this.state = {
      isSetUp: true,
      isSignedIn: true,
      secrets: 'ready',
      password: 'correct horse battery',
      tokens: [],
      devices: [],
      passkeys: [],
      downloaders: [],
      statuses: [],
      torrents: [],
      torrentRuns: [],
      torrentDetails: inventedTorrentDetails(),
      torrentEvents: [],
      failures: [],
      audit: [],
      sites: [],
      ownDefinitions: [],
      liveSites: [],
      userError: undefined,
      today: { from: '', to: '', uploaded: 0, downloaded: 0, bonus: 0, sites: [] },
      standing: { known: false, pace_days: 0 },
      sitePlan: undefined,
      simulated: undefined,
      readFigures: { items: [] },
      siteDays: [],
      promotions: { action: 'warn', items: [], silent: [] },
      usual: {
        user_agent: 'Mozilla/5.0 (compatible; wharf/1.0)',
        request_interval_ms: 1000,
        utc_offset_minutes: 480,
        ...{ labels: {}, paths: {}, selectors: {}, headers: {}, categories: {} },
        hosts: [],
        adds_headers: false,
      },
      duties: { items: [] },
      freeEndSettings: { action: 'warn', unknown_end: 'ending' },
      growth: [{ uploaded: 0, downloaded: 0, bonus: 0, sites: 0 }],
      jobs: [],
      problems: [],
      backups: [],
      bucket: undefined,
      addresses: [],
      found: [],
      searchErrors: [],
      tasks: [],
      metadataKey: '',
      metadataAddresses: { api_address: '', image_address: '' },
      titles: [],
      subscriptions: [],
      profiles: [],
      proxyHost: undefined,
      localeSettings: { time_zone: 'Asia/Shanghai', chosen: false, language: 'zh' },
      updateSettings: { repository: '', api_address: '' },
      newReleases: [],
      cookiePush: undefined,
      templates: new Map(),
      channels: [],
      watchlists: [],
      watchlistItems: [],
      chatBot: { way: 'off', commands: [...chatCommands], chats: [] },
      libraries: [],
      mediaHistory: [],
      brushTasks: [],
      feeds: [],
      transfers: [],
      reseed: noReseeds,
      endMode: 'dry',
      endRules: [],
      ends: [],
      feedItems: [],
      rules: [],
      ruleTrial: { judged: 0, stored: nothingTaken, tried: nothingTaken, rules: [], changed: [] },
      profileTrial: {
        judged: 0,
        subscriptions: 0,
        compared: 0,
        stored: nothingChosen,
        tried: nothingChosen,
        changed: [],
      },
      brushTorrents: [],
      brushLeft: { items: [] },
      assistant: noAssistant,
      gateway: noGateway,
      nowUnix: Math.floor(Date.now() / 1000),
      ...state,
    }
    this.assistant = new StandInAssistant(this.state.assistant)
  }

  get origin(): string {
    return this.#door?.origin ?? ''
  }

  /** At a door that stays, or at one of its own. */
  async start(door?: StandInDoor): Promise<void> {
    if (door === undefined) await this.#own.open()
    this.#door = door ?? this.#own
    this.#door.behind = this
  }

  async stop(): Promise<void> {
    this.#door?.leave()
    if (this.#door === this.#own) await this.#own.close()
    this.#door = undefined
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response).catch((cause) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(cause))
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    if (!url.pathname.startsWith('/api/')) return serveFile(url.pathname, response)
    const found = findRoute(request.method ?? '', url.pathname)
    if (found === undefined) throw new Error(`${request.method} ${url.pathname} is no route of the contract`)
    const { route, params } = found
    const body = await readJson(request)
    this.received.set(route.operationId, [...(this.received.get(route.operationId) ?? []), body])
    await this.gates.get(route.operationId)
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    if (route.operationId === 'streamTorrents' && !this.refusals.has('streamTorrents'))
      return this.#stream(url, response, closed.signal)
    if (route.operationId === 'streamSearch' && !this.refusals.has('streamSearch'))
      return this.#streamSearch(streamSearch.body.parse(body), response, closed.signal)
    const outcome = await this.#answer(route, params, url, body, closed.signal)
    response.setHeader('content-type', 'application/json; charset=utf-8')
    if ('refusal' in outcome) {
      const { status, error, reason, headers } = outcome.refusal
      response.writeHead(status, { ...headers })
      response.end(JSON.stringify({ error, ...withReason('message', reason) }))
      return
    }
    const status = outcome.status ?? 200
    const schema = route.answers[status]
    if (schema === 'file') {
      response.setHeader('content-type', 'application/octet-stream')
      response.end(String(outcome.answer))
      return
    }
    if (schema === 'image') {
      response.setHeader('content-type', 'image/png')
      response.end(squareIcon((params.at(-1) ?? '').replace(/\.jpg$/, '')))
      return
    }
    if (schema === undefined) throw new Error(`${route.operationId} answers no JSON`)
    response.writeHead(status)
    response.end(JSON.stringify(schema.parse(outcome.answer)))
  }

  /** As the service follows its list, by the route of its own. */
  async #stream(url: URL, response: ServerResponse, closed: AbortSignal): Promise<void> {
    const id = url.searchParams.get('downloader_id')
    const asked = {
      ...Object.fromEntries(url.searchParams),
      ...(id === null ? {} : { downloader_id: Number(id) }),
      needs_owner: url.searchParams.get('needs_owner') === 'true',
    }
    const list = async () => this.#listed({ ...asked, page: 1, page_size: Number.MAX_SAFE_INTEGER }).answer
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const from = Number(url.searchParams.get('from'))
    const events = followTorrents({
      readList: async () => {
        const { page: _, page_size: __, items, ...facts } = structuredClone(await list())
        return { ...facts, items: items.slice(from, from + Number(url.searchParams.get('count'))) }
      },
      readDownloaders: async () => this.state.statuses,
      readGroups: () => groupsOf(this.state, asked),
      from,
      nowMs: () => Date.now(),
      wait: (ms, signal) => sleep(ms / 10, undefined, { signal }).catch(() => undefined),
      left: closed,
    })
    this.streams += 1
    for await (const event of events) response.write(event)
    this.streams -= 1
    response.end()
  }

  /** As the service tells a search, by the names of its events. A gate named after a site holds that one back. */
  async #streamSearch(body: SearchBody, response: ServerResponse, closed: AbortSignal): Promise<void> {
    const say = <K extends keyof SearchEvents>(name: K, data: SearchEvents[K]) =>
      response.write(eventFrame(name, JSON.stringify(data)))
    const { sites, items, errors, duration_ms } = this.#search(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    say('asked', { sites: [...Object.keys(sites), ...errors.map(({ site }) => site)] })
    await Promise.all([
      ...Object.entries(sites).map(async ([site, total]) => {
        await this.gates.get(`streamSearch ${site}`)
        const kind = this.state.sites.find(({ name }) => name === site)?.kind ?? 'nexusphp'
        const rows = items.filter((item) => item.site === site).map((item) => ({ ...item, ...foundFacts(kind, item) }))
        if (!closed.aborted) say('found', { site, total, items: rows })
      }),
      ...errors.map(async ({ site, reason }) => {
        await this.gates.get(`streamSearch ${site}`)
        if (!closed.aborted) say('failed', { site, reason: reason ?? { kind: 'site.timeout' } })
      }),
    ])
    if (!closed.aborted) say('done', { duration_ms })
    response.end()
  }

  #search(body: SearchBody) {
    const failed = new Set(this.state.searchErrors.map(({ site }) => site))
    const asked = this.state.sites.filter(
      (site) => site.enabled && (body.sites === undefined || body.sites.includes(site.name)),
    )
    const items = this.state.found.filter(
      (item) =>
        asked.some((site) => site.name === item.site) &&
        `${item.title} ${item.subtitle ?? ''}`.toLowerCase().includes(body.keyword.toLowerCase()) &&
        (body.free_only !== true || item.free) &&
        item.seeders >= (body.min_seeders ?? 0),
    )
    const answered = asked.filter((site) => !failed.has(site.name))
    return {
      items,
      sites: Object.fromEntries(
        answered.map((site) => [site.name, items.filter((item) => item.site === site.name).length]),
      ),
      errors: this.state.searchErrors
        .filter(({ site }) => asked.some((one) => one.name === site))
        .map(({ site, reason }) => ({ site, ...withReason('error', reason) })),
      duration_ms: 4120,
    }
  }

  #answer(
    route: RouteDeclaration,
    params: readonly string[],
    url: URL,
    body: unknown,
    closed: AbortSignal,
  ): Outcome | Promise<Outcome> {
    const refusal = this.refusals.get(route.operationId)
    if (refusal !== undefined) return { refusal }
    if (route.permission !== 'public' && !this.state.isSignedIn)
      return refuse(401, 'unauthorized', { kind: 'account.unauthorized' })
    const parsedBody =
      route.body === undefined ? { success: true as const, data: body } : route.body.safeParse(body ?? {})
    if (!parsedBody.success) return refuse(400, 'invalid_body', saying(parsedBody.error.message))
    const query = route.query?.safeParse(Object.fromEntries(url.searchParams)) ?? { success: true as const, data: {} }
    if (!query.success) return refuse(400, 'invalid_argument', saying(query.error.message))
    const handle = this.#handlers[route.operationId] ?? this.assistant.handlers[route.operationId]
    if (handle === undefined) throw new Error(`no stand-in for ${route.operationId}`)
    return handle({ params, body: parsedBody.data, query: query.data, closed })
  }

  readonly #handlers: Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>> = {
    getConsoleState: () => ({
      answer: {
        signed_in: this.state.isSignedIn,
        set_up: this.state.isSetUp,
        setup_code_waits: !this.state.isSetUp,
        passkeys: this.state.passkeys.length > 0,
        ...(this.state.isSignedIn ? { secrets: this.state.secrets } : {}),
        version: '0.1.0',
      } satisfies WireConsoleState,
    }),
    setUp: ({ body }) => {
      if (body.code !== 'one-time-code') return refuse(403, 'forbidden', { kind: 'account.setup_code_wrong' })
      Object.assign(this.state, { isSetUp: true, isSignedIn: true, password: body.password })
      return { answer: { ok: true, ended: { tokens: 0, devices: 0, passkeys: 0 } } }
    },
    signIn: ({ body }) => {
      if (body.password !== this.state.password) return refuse(403, 'forbidden', { kind: 'account.password_wrong' })
      this.state.isSignedIn = true
      return done
    },
    signOut: () => {
      this.state.isSignedIn = false
      return done
    },
    changePassword: ({ body }) => {
      if (body.current !== this.state.password)
        return refuse(403, 'forbidden', { kind: 'account.current_password_wrong' })
      this.state.password = body.next
      const counts = (list: readonly unknown[], name: string) => (body.keep.includes(name) ? 0 : list.length)
      const { tokens, devices, passkeys } = this.state
      const ended = {
        tokens: counts(tokens, 'tokens'),
        devices: counts(devices, 'devices'),
        passkeys: counts(passkeys, 'passkeys'),
      }
      return { answer: { ok: true, ended } }
    },
    signOutEverywhere: ({ body }) => {
      const { tokens, devices } = this.state
      if (body.ends.includes('tokens')) this.state.tokens = []
      if (body.ends.includes('devices')) this.state.devices = []
      if (body.ends.includes('sessions')) this.state.isSignedIn = false
      return { answer: { ok: true, ended: { sessions: 1, tokens: tokens.length, devices: devices.length } } }
    },
    listPasskeys: () => ({ answer: { items: this.state.passkeys } }),
    renamePasskey: ({ params, body }) => this.#rename('passkeys', 'passkey', params[0], body.name),
    removePasskey: ({ params }) => this.#drop('passkeys', params[0]),
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
    revokeToken: ({ params }) => this.#drop('tokens', params[0]),
    listDevices: () => ({ answer: { items: this.state.devices } }),
    makePairingCode: () => ({ answer: { code: 'K7QF-2MXP-9RTD-4WHB', expires_at: this.state.nowUnix + 600 } }),
    renameDevice: ({ params, body }) => this.#rename('devices', 'device', params[0], body.name),
    revokeDevice: ({ params }) => this.#drop('devices', params[0]),
    listConsoleDownloaders: () => ({ answer: { items: this.state.downloaders } }),
    addDownloader: ({ body }) => this.#store(this.state.downloaders.length + 1, body),
    changeDownloader: ({ params, body }) => this.#store(Number(params[0]), body),
    removeDownloader: ({ params }) => this.#drop('downloaders', params[0]),
    testDownloader: ({ body }) =>
      body.address.includes('refused')
        ? { answer: { reachable: false, ...withReason('error', { kind: 'downloader.credentials' }) } }
        : { answer: { reachable: true, version: 'v5.1.0', free_space: 5_299_989_643_264 } },
    listAudit: ({ query }) => ({ answer: pageOf(this.state.audit, query) }),
    listDownloaders: () => ({ answer: { items: this.state.statuses } }),
    listTorrents: ({ query }) => {
      const { counted: kept, chosen: wanted } = filtered(this.state.torrents, query)
      const left = new Set(wanted)
      const column = (query['sort'] ?? 'added_at') as keyof WireTorrent
      const sign = query['order'] === 'asc' ? 1 : -1
      const sorted = kept.toSorted((a, b) => {
        const [x, y] = [a[column] ?? '', b[column] ?? '']
        return x === y ? 0 : sign * (x < y ? -1 : 1)
      })
      const counts = {
        states: countsOf(sorted.map(({ state }) => state)),
        conditions: countsOf(sorted.flatMap(({ condition }) => condition ?? [])),
      }
      const chosen = sorted.filter((torrent) => left.has(torrent))
      return {
        answer: {
          ...pageOf(chosen, query),
          total_size: chosen.reduce((sum, { size }) => sum + size, 0),
          counts,
          failures: this.state.failures,
        },
      }
    },
    groupTorrents: async ({ query }) => ({ answer: await groupsOf(this.state, query) }),
    actOnTorrents: ({ body }) => this.#act(body),
    changeTorrents: ({ body }) => this.#change(body),
    addTorrent: ({ body }) => this.#addTorrent(body),
    exportTorrent: ({ params }) =>
      this.#torrent(Number(params[0]), params[1] ?? '') === undefined
        ? refuse(404, 'not_found', { kind: 'none', what: 'torrent' })
        : { answer: `d4:infod4:name${params[1]?.length}:${params[1]}ee` },
    readTorrentHistory: () => ({ answer: { items: this.state.torrentEvents } }),
    listTorrentRuns: () => ({ answer: { items: this.state.torrentRuns.map(({ run }) => run).reverse() } }),
    beginTorrentRun: ({ body }) => this.#beginRun(body),
    readTorrentRun: ({ params }) => this.#ofRun(params, (one) => this.#carryOn(one)),
    stopTorrentRun: ({ params }) =>
      this.#ofRun(params, ({ run }) => {
        if (run.status === 'running') run.status = 'stopped'
      }),
    undoTorrentRun: ({ params }) => {
      const undone = this.state.torrentRuns.find(({ run }) => run.id === Number(params[0]))
      const back = undone?.before.filter(({ state }) => (state === 'paused') === (undone.run.deed === 'resume')) ?? []
      return this.#runOn(undone?.run.deed === 'pause' ? 'resume' : 'pause', back)
    },
    readTorrent: ({ params }) => {
      const torrent = this.#torrent(Number(params[0]), params[1] ?? '')
      if (torrent === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'torrent' })
      return { answer: { torrent, ...this.state.torrentDetails } }
    },

    listTemplates: () => this.#templates('listTemplates', {}),
    previewTemplate: ({ body }) => this.#templates('previewTemplate', { body }),
    saveTemplate: ({ params, body }) => this.#templates('saveTemplate', { params: { type: params[0] ?? '' }, body }),
    resetTemplate: ({ params }) => this.#templates('resetTemplate', { params: { type: params[0] ?? '' } }),
    listChannels: () => ({
      answer: {
        items: this.state.channels,
        events: eventTypes.map((type) => ({ type, name: templateEventOf(type).name })),
        services: wireChannelServices(),
      },
    }),
    readPushKey: () => ({ answer: { public_key: standInPushKey } }),
    listWatchlists: () => ({ answer: { items: this.state.watchlists } }),
    addWatchlist: ({ body }) => ({ answer: this.#storeWatchlist(this.state.watchlists.length + 1, body) }),
    changeWatchlist: ({ params, body }) => ({ answer: this.#storeWatchlist(Number(params[0]), body) }),
    removeWatchlist: ({ params }) => this.#drop('watchlists', params[0]),
    runWatchlist: () => done,
    tryWatchlist: ({ body }) => ({
      answer:
        body.account === 'nobody'
          ? {
              works: false,
              found: 0,
              untried: 0,
              counts: {},
              items: [],
              ...withReason('error', { kind: 'service.not_found', service: 'list' }),
            }
          : {
              works: true,
              found: 31,
              untried: 29,
              counts: { added: 1, unclear: 1 },
              items: [
                { title: 'The Salt Road', year: 2024, status: 'added' },
                { title: 'Northern Passage', status: 'unclear' },
              ],
            },
    }),
    listWatchlistItems: () => ({ answer: { items: this.state.watchlistItems } }),
    chooseWatchlistTitle: ({ params }) => this.#decideItem(Number(params[0]), 'waiting'),
    leaveWatchlistItem: ({ params }) => this.#decideItem(Number(params[0]), 'left'),
    readChatBot: () => ({ answer: this.state.chatBot }),
    changeChatBot: ({ body }) => {
      this.state.chatBot = { ...this.state.chatBot, way: body.way, commands: [...body.commands] }
      return { answer: this.state.chatBot }
    },
    makeChatCode: () => ({ answer: { code: 'ABCD-EFGH-JKMN-PQRS', expires_at: this.state.nowUnix + 600 } }),
    removeChat: ({ params }) => {
      const { chats, ...bot } = this.state.chatBot
      this.state.chatBot = { ...bot, chats: chats.filter(({ id }) => id !== params[1]) }
      return done
    },
    addChannel: ({ body }) => this.#storeChannel(this.state.channels.length + 1, body),
    changeChannel: ({ params, body }) => this.#storeChannel(Number(params[0]), body),
    removeChannel: ({ params }) => this.#drop('channels', params[0]),
    testChannel: ({ body }) =>
      (body.address ?? body.fields?.['server'])?.includes('refused') === true
        ? { answer: { delivered: false, ...withReason('error', { kind: 'channel.credentials' }) } }
        : { answer: { delivered: true } },

    listConsoleBrushTasks: () => ({ answer: { items: this.state.brushTasks } }),
    tryQualityProfile: () => ({ answer: this.state.profileTrial }),
    tryBrushTask: () => ({ answer: this.state.ruleTrial }),
    addBrushTask: ({ body }) => this.#storeBrushTask(this.state.brushTasks.length + 1, body),
    changeBrushTask: ({ params, body }) => this.#storeBrushTask(Number(params[0]), body),
    removeBrushTask: ({ params }) => this.#drop('brushTasks', params[0]),
    runBrushTask: () => done,
    listBrushTorrents: () => ({ answer: { items: this.state.brushTorrents } }),
    listBrushLeft: () => ({ answer: this.state.brushLeft }),

    listFeeds: () => ({ answer: { items: this.state.feeds } }),
    addFeed: ({ body }) => this.#storeFeed(this.state.feeds.length + 1, body),
    changeFeed: ({ params, body }) => this.#storeFeed(Number(params[0]), body),
    removeFeed: ({ params }) => this.#drop('feeds', params[0]),
    runFeed: () => done,
    listFeedItems: ({ query }) => {
      const { status } = query as { status?: string }
      return { answer: { items: this.state.feedItems.filter((one) => status === undefined || one.status === status) } }
    },
    askOtherRules: ({ params }) => this.#ofFeedItem('askOtherRules', { params: { id: Number(params[0]) } }),
    pushFeedItem: ({ params, body }) => this.#ofFeedItem('pushFeedItem', { params: { id: Number(params[0]) }, body }),
    startRule: ({ body }) => ofRoutes(consoleRuleRoutes({} as never), 'startRule', { body }),
    listRules: () => ({ answer: { items: this.state.rules, left: 4287 } }),
    addRule: ({ body }) => this.#storeRule(this.state.rules.length + 1, body),
    changeRule: ({ params, body }) => this.#storeRule(Number(params[0]), body),
    removeRule: ({ params }) => this.#drop('rules', params[0]),
    orderRules: ({ body }) => {
      this.state.rules = (body.ids as number[]).flatMap((id) => this.state.rules.find((one) => one.id === id) ?? [])
      return done
    },
    tryRules: () => ({ answer: this.state.ruleTrial }),
    readRulesText: () => ({ answer: { text: rulesText.write(this.state.rules) } }),
    putRulesText: ({ body }) => {
      const read = rulesText.read(body.text)
      if (!read.ok)
        return {
          answer: {
            kept: false,
            faults: read.failure.map(({ rule, path, line }) => {
              const place = { path: path.join('.'), ...(line === undefined ? {} : { line }) }
              return { ...place, ...withReason('error', { kind: 'definition.wrong', rule, ...place }) }
            }),
          },
        }
      if (body.keep) {
        this.state.rules = []
        read.value.forEach((one, at) => void this.#storeRule(at + 1, structuredClone(one) as RuleBody))
      }
      return { answer: { kept: body.keep, faults: [], trial: this.state.ruleTrial } }
    },

    listReseeds: () => ({
      answer: { ...this.state.reseed, asked: [{ site: 'lantern', asks: 12, ways: [{ way: 'pieces', found: 3 }] }] },
    }),
    changeReseed: ({ body }) => {
      this.state.reseed = { ...this.state.reseed, ...body }
      return { answer: body }
    },
    changeReseedService: ({ body: { token, address } }) => {
      const { service } = this.state.reseed
      const stored = { ...service, address, has_token: token === undefined ? service.has_token : token !== '' }
      this.state.reseed = { ...this.state.reseed, service: stored }
      return { answer: stored }
    },
    listTransfers: () => ({ answer: { items: this.state.transfers } }),
    beginTransfers: ({ body }) => {
      const { task_ids } = body as { task_ids: string[] }
      return { answer: { begun: task_ids.length } }
    },
    stopTransfer: ({ params }) => {
      this.state.transfers = this.state.transfers.map((one) =>
        one.id === Number(params[0]) ? { ...one, stopping: true } : one,
      )
      return done
    },
    listEndRules: () => ({ answer: { mode: this.state.endMode, items: this.state.endRules } }),
    addEndRule: ({ body }) => this.#storeEndRule(this.state.endRules.length + 1, body),
    changeEndRule: ({ params, body }) => this.#storeEndRule(Number(params[0]), body),
    removeEndRule: ({ params }) => this.#drop('endRules', params[0]),
    orderEndRules: ({ body }) => {
      this.state.endRules = (body.ids as number[]).flatMap(
        (id) => this.state.endRules.find((one) => one.id === id) ?? [],
      )
      return done
    },
    setEndMode: ({ body }) => {
      this.state.endMode = body.mode
      return { answer: { mode: body.mode } }
    },
    listEnds: () => ({ answer: { items: this.state.ends } }),
    tryEndRules: () => ({
      answer: {
        judged: 12,
        ended: this.state.ends.length,
        freed: 3 * 1024 ** 3,
        items: this.state.ends.map(({ id: _, status: __, ...one }) => one),
        unread: [],
      },
    }),

    getOverview: () => ({ answer: this.#overview() }),
    listSites: () => ({
      answer: {
        items: this.state.liveSites.map(({ user, ...rest }) =>
          this.state.userError === undefined && user !== undefined ? { ...rest, user } : rest,
        ),
        ...(this.state.userError === undefined
          ? {}
          : { user_error: said(this.state.userError), reason: this.state.userError }),
      },
    }),
    attendSite: ({ params }) => {
      const site = this.state.liveSites.find((one) => one.name === params[0])
      if (site === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'site' })
      const attendance: WireAttendance = { ...site.attendance, status: 'signed', last_attempt_at: this.state.nowUnix }
      delete attendance.message
      delete attendance.reason
      site.attendance = attendance
      return { answer: attendance }
    },
    getFavicon: ({ params }) =>
      this.state.sites.some((one) => one.name === params[0])
        ? done
        : refuse(404, 'not_found', { kind: 'none', what: 'site' }),
    getSiteStanding: () => ({ answer: this.state.standing }),
    readSitePlan: () => ({ answer: this.state.sitePlan === undefined ? {} : { plan: this.state.sitePlan } }),
    makeSitePlan: () => {
      this.state.sitePlan = this.state.simulated
      return { answer: this.state.sitePlan === undefined ? {} : { plan: this.state.sitePlan } }
    },
    carryOutSitePlan: () => this.#planIs('running'),
    stopSitePlan: () => this.#planIs('stopped'),
    listSiteFigures: () => ({ answer: this.state.readFigures }),
    listSeedingDuties: () => ({ answer: this.state.duties }),
    getSiteHistory: () => ({ answer: { items: this.state.siteDays } }),
    listSiteDefinitions: () => ({ answer: { items: readyDefinitions.map(toWireDefinition) } }),
    listOwnDefinitions: () => ({ answer: { items: this.state.ownDefinitions } }),
    addOwnDefinition: ({ body }) => ({ answer: this.#keepDefinition(body.source ?? '') }),
    reloadOwnDefinition: ({ params }) => {
      const present = this.state.ownDefinitions.find((one) => one.id === params[0] && one.host !== '')
      return present === undefined
        ? refuse(404, 'not_found', { kind: 'none', what: 'definition' })
        : { answer: { added: true, definition: present, faults: [] } }
    },
    removeOwnDefinition: ({ params }) => this.#drop('ownDefinitions', params[0]),
    getSiteUsual: () => ({ answer: this.state.usual }),
    listSiteMessages: ({ params }) =>
      Number(params[0]) === this.state.sites[1]?.id
        ? { answer: { items: [{ subject: '邀请码已发放', sender: '系统', at: this.state.nowUnix - 3600 }] } }
        : { answer: withReason('error', { kind: 'site.login_expired' }) },
    listPromotions: () => ({ answer: this.state.promotions }),
    listConsoleSites: () => ({ answer: { items: this.state.sites } }),
    addSite: ({ body }) => this.#storeSite(this.state.sites.length + 1, body),
    changeSite: ({ params, body }) => this.#storeSite(Number(params[0]), body),
    removeSite: ({ params }) => this.#drop('sites', params[0]),
    testSite: ({ body }) =>
      body.address.includes('refused')
        ? { answer: { works: false, ...withReason('error', { kind: 'site.login_expired' }) } }
        : {
            answer: {
              works: true,
              username: 'keeper',
              figures: [
                {
                  figure: 'uploaded',
                  value: 5 * 1024 ** 4,
                  page: 'userdetails.php',
                  row: 'Transfers',
                  label: 'Uploaded',
                },
                { figure: 'ratio', value: 9.9, page: 'userdetails.php', label: 'Ratio', doubt: 'others' },
                { figure: 'bonus' },
              ],
            },
          },
    makeSiteFixture: ({ params }) =>
      Number(params[0]) === this.state.sites[0]?.id
        ? {
            answer: {
              pages: [{ page: 'userdetails.php', text: '<td>上传量</td><td>7.89 TB</td>' }],
              replaced: { secret: 3, number: 1204 },
            },
          }
        : { answer: withReason('error', { kind: 'site.login_expired' }) },
    saySiteFigure: ({ body }) => {
      const { items, ...rest } = this.state.readFigures
      const settled = items.map((one) => {
        const { doubt, before, ...figure } = one
        if (one.figure !== body.figure || doubt === undefined) return one
        return { ...figure, value: body.is === 'right' ? body.value : before, read: body.value, said_at: 1_793_577_600 }
      })
      this.state.readFigures = { ...rest, items: settled }
      return done
    },
    refreshSite: () => done,
    listBackups: () => {
      const { backups, bucket } = this.state
      return backups === undefined
        ? { answer: { own_machine: false, automatic: false, items: [] } }
        : {
            answer: {
              own_machine: true,
              automatic: true,
              folder: '/data/backups',
              items: backups,
              ...(bucket === undefined ? {} : { bucket }),
            },
          }
    },
    makeBackup: () => {
      const { nowUnix, backups = [] } = this.state
      const made = {
        name: `wharf-${backups.length}-asked.tar.gz`,
        at: nowUnix,
        why: 'asked',
        bytes: 2 ** 20,
        sealed: false,
      }
      backups.unshift(made as WireBackup)
      return { answer: made }
    },
    readBackBackup: ({ params }) => {
      const backup = this.state.backups?.find(({ name }) => name === params[0])
      if (backup === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'backup' })
      backup.read_back = { at: this.state.nowUnix, ok: true, rows: 38_204 }
      return { answer: backup.read_back }
    },
    downloadBackup: ({ params }) => ({ answer: `the file ${params[0]}` }),
    ...gatewayAnswers(
      () => this.state.gateway,
      () => this.state.nowUnix,
    ),
    getHealth: () => ({
      answer: { own_machine: true, addresses: this.state.addresses, problems: this.state.problems },
    }),
    listJobs: () => ({ answer: { items: this.state.jobs } }),
    runJob: ({ body }) => {
      const job = this.state.jobs.find((one) => one.job === body.job && one.site === body.site)
      if (job === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'job' })
      job.running = true
      return done
    },
    listSiteHistory: ({ query }) => {
      const days = Number(query['days'])
      const { growth, nowUnix } = this.state
      return {
        answer: {
          items: Array.from({ length: days }, (_, at) => ({
            day: new Date((nowUnix - (days - 1 - at) * 86_400) * 1000).toISOString().slice(0, 10),
            ...growth[(at + growth.length - (days % growth.length)) % growth.length],
          })),
        },
      }
    },
    pushTorrent: ({ body }) => this.#push(body),
    explainPush: ({ body }) => this.#explainPush(body),
    listTasks: ({ query }) => {
      const wanted = typeof query['q'] === 'string' ? query['q'].toLowerCase() : ''
      const kept = this.state.tasks.filter(
        (task) =>
          (query['site'] === undefined || task.site === query['site']) &&
          (query['pushed'] === undefined || task.pushed) &&
          task.title.toLowerCase().includes(wanted),
      )
      return { answer: pageOf(kept, query) }
    },
    listLibraries: () => ({ answer: { items: this.state.libraries } }),
    addLibrary: ({ body }) => this.#storeLibrary(this.state.libraries.length + 1, body),
    changeLibrary: ({ params, body }) => this.#storeLibrary(Number(params[0]), body),
    removeLibrary: ({ params }) => this.#drop('libraries', params[0]),
    listMediaHistory: ({ query }) => {
      const wanted = typeof query['q'] === 'string' ? query['q'].toLowerCase() : ''
      const kept = this.state.mediaHistory.filter(
        (one) =>
          (query['status'] === undefined || one.status === query['status']) &&
          `${one.title}\n${one.torrent_name}`.toLowerCase().includes(wanted),
      )
      return { answer: pageOf(kept, query) }
    },
    organiseAgain: ({ params }) =>
      this.state.mediaHistory.some((one) => one.id === Number(params[0]))
        ? done
        : refuse(404, 'not_found', { kind: 'none', what: 'media_record' }),
    explore: ({ query }) => {
      if (this.state.metadataKey === '')
        return refuse(400, 'invalid_argument', { kind: 'service.not_set_up', service: 'metadata' })
      const wanted = typeof query['q'] === 'string' ? query['q'].toLowerCase() : ''
      const items = this.state.titles
        .filter((title) => `${title.title} ${title.original_title ?? ''}`.toLowerCase().includes(wanted))
        .map((title) => ({ ...title, media_type: query['kind'] }))
      return { answer: { items, page: query['page'], total_pages: query['list'] === 'search' ? 1 : 20 } }
    },
    listSubscriptions: ({ query }) => {
      const wanted = typeof query['q'] === 'string' ? query['q'].toLowerCase() : ''
      return {
        answer: this.state.subscriptions.filter(
          (one) =>
            (query['status'] === undefined || one.status === query['status']) &&
            `${one.title} ${one.original_title ?? ''}`.toLowerCase().includes(wanted),
        ),
      }
    },
    getSubscription: ({ params }) => this.#subscription(params[0]),
    getConsoleSubscription: ({ params }) => this.#subscription(params[0]),
    addConsoleSubscription: ({ body }) => this.#subscribe(body),
    changeConsoleSubscription: ({ params, body }) => this.#subscription(params[0], body),
    setSubscriptionStatus: ({ params, body }) => this.#subscription(params[0], body),
    searchSubscription: ({ params }) => {
      const reason: Reason = {
        kind: 'subscription.told',
        pushes: [],
        refused: [
          { why: 'resolution', count: 2 },
          { why: 'seeders', count: 1 },
        ],
        sites: [],
      }
      const { nowUnix } = this.state
      const change = { ...withReason('message', reason), last_search_at: nowUnix, next_search_at: nowUnix + 43_200 }
      const outcome = this.#subscription(params[0], change)
      return 'refusal' in outcome ? outcome : { answer: withReason('message', reason) }
    },
    deleteSubscription: ({ params }) => this.#drop('subscriptions', params[0]),
    listQualityProfiles: () => ({ answer: { items: this.state.profiles } }),
    addQualityProfile: ({ body }) => this.#storeProfile(this.state.profiles.length + 1, body),
    changeQualityProfile: ({ params, body }) => this.#storeProfile(Number(params[0]), body),
    removeQualityProfile: ({ params }) => this.#drop('profiles', params[0]),
    getProviderImage: ({ params }) =>
      params[1]?.includes('missing')
        ? refuse(404, 'not_found', { kind: 'service.not_found', service: 'images' })
        : done,
    getMetadataSettings: () => ({ answer: this.#metadata() }),
    changeMetadataSettings: ({ body: { api_key, ...addresses } }) => {
      this.state.metadataAddresses = addresses
      this.state.metadataKey = api_key ?? this.state.metadataKey
      return { answer: this.#metadata() }
    },
    testMetadataKey: ({ body }) =>
      body.api_key === 'wrong'
        ? { answer: { works: false, ...withReason('error', { kind: 'service.refused', service: 'metadata' }) } }
        : { answer: { works: true } },
    getProxySettings: () => ({ answer: this.#proxy() }),
    changeProxySettings: ({ body }) => {
      this.state.proxyHost = body.proxy === '' ? undefined : new URL(body.proxy).host
      return { answer: this.#proxy() }
    },
    getFreeEndSettings: () => ({ answer: this.state.freeEndSettings }),
    changeFreeEndSettings: ({ body }) => {
      this.state.freeEndSettings = body
      return { answer: body }
    },
    getLocaleSettings: () => ({ answer: this.state.localeSettings }),
    changeLocaleSettings: ({ body }) => {
      this.state.localeSettings = {
        time_zone: body.time_zone,
        chosen: true,
        language: body.language ?? this.state.localeSettings.language,
      }
      return { answer: this.state.localeSettings }
    },
    getCookiePush: () => ({ answer: this.#cookiePush() }),
    startCookiePush: () => {
      this.state.cookiePush = { uuid: 'uuid-of-the-stand-in', takenAt: 0, renewed: [] }
      return { answer: { ...this.#cookiePush(), password: 'PlantedPushPassword71' } }
    },
    stopCookiePush: () => {
      this.state.cookiePush = undefined
      return { answer: this.#cookiePush() }
    },
    getUpdateSettings: () => ({ answer: this.state.updateSettings }),
    changeUpdateSettings: ({ body }) => {
      this.state.updateSettings = body
      return { answer: body }
    },
    getUpdates: () => ({
      answer: {
        current_version: '0.1.0',
        has_update: this.state.newReleases.length > 0,
        checked_at: this.state.nowUnix - 3600,
        new_releases: this.state.newReleases,
      },
    }),
  }

  /** A row of a list goes. */
  #drop(list: RowList, id: string | undefined): Outcome {
    const rows: readonly { readonly id: number | string }[] = this.state[list]
    Object.assign(this.state, { [list]: rows.filter((one) => String(one.id) !== id) })
    return done
  }

  /** A row of a list is there, new or changed. */
  #keep(list: RowList, row: { readonly id: number }): Outcome {
    const rows = this.state[list] as unknown as readonly { readonly id: number }[]
    const others = rows.filter(({ id }) => id !== row.id)
    Object.assign(this.state, { [list]: [...others, row].sort((a, b) => a.id - b.id) })
    return { answer: row }
  }

  #rename(list: 'passkeys' | 'devices', what: 'passkey' | 'device', id: string | undefined, name: string): Outcome {
    const row = this.state[list].find((one) => one.id === id)
    if (row === undefined) return refuse(404, 'not_found', { kind: 'none', what })
    const renamed = { ...row, name }
    Object.assign(this.state, { [list]: this.state[list].map((one) => (one === row ? renamed : one)) })
    return { answer: renamed }
  }

  #storeWatchlist(id: number, body: WatchlistBody): WireWatchlist {
    const before = this.state.watchlists.find((one) => one.id === id)
    const { name, enabled, kind, every_minutes, first_look, upgrade = false, account = '', list = '', address } = body
    const { profile_id = 0, downloader_id = 0 } = body
    const host = address === undefined ? (before?.host ?? 'lists.example') : new URL(address).host
    const stored: WireWatchlist = {
      ...{ id, name, enabled, kind, host, account, list, every_minutes, first_look, upgrade },
      ...{ profile_id, downloader_id },
      counts: before?.counts ?? {},
      due_at: this.state.nowUnix,
    }
    this.state.watchlists = [...this.state.watchlists.filter((one) => one.id !== id), stored]
    return stored
  }

  #decideItem(id: number, status: WireWatchlistItem['status']) {
    this.state.watchlistItems = this.state.watchlistItems.map((one) =>
      one.id === id ? { ...one, status, choices: [] } : one,
    )
    return done
  }

  #cookiePush(): WireCookiePush {
    const { uuid, takenAt = 0, renewed = [] } = this.state.cookiePush ?? {}
    return {
      enabled: uuid !== undefined,
      path: '/api/cookies',
      ...(uuid === undefined ? {} : { uuid }),
      taken_at: takenAt,
      renewed: [...renewed],
    }
  }

  #subscription(id: string | undefined, change: Partial<InventedSubscription> = {}): Outcome {
    const at = this.state.subscriptions.findIndex((one) => one.id === Number(id))
    const found = this.state.subscriptions[at]
    if (found === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'subscription' })
    const changed = { ...found, ...change }
    this.state.subscriptions = this.state.subscriptions.with(at, changed)
    return { answer: changed }
  }

  /** Of what is offered, and nothing twice. */
  #subscribe({
    media_type,
    tmdb_id,
    season = media_type === 'tv' ? 1 : 0,
    profile_id = 0,
    downloader_id = 0,
    upgrade = false,
    source,
  }: Pick<InventedSubscription, 'media_type' | 'tmdb_id' | 'source'> & Partial<InventedSubscription>): Outcome {
    const title = this.state.titles.find((one) => one.id === tmdb_id)
    if (title === undefined) return refuse(404, 'not_found', { kind: 'media.title_unknown' })
    if (this.state.subscriptions.some((one) => one.tmdb_id === tmdb_id && one.season === season))
      return refuse(400, 'invalid_argument', { kind: 'media.subscribed' })
    const made: InventedSubscription = {
      id: Math.max(0, ...this.state.subscriptions.map((one) => one.id)) + 1,
      media_type,
      tmdb_id,
      season,
      title: title.title,
      status: 'active',
      upgrade,
      source,
      created_at: this.state.nowUnix,
      progress: { total: 0, aired: 0, in_library: 0, downloading: 0, missing: [] },
      episodes: [],
      torrents: [],
      profile_id,
      downloader_id,
    }
    this.state.subscriptions = [made, ...this.state.subscriptions]
    this.state.titles = this.state.titles.map((one) =>
      one === title ? { ...one, subscribed: true, subscription_id: made.id } : one,
    )
    return { answer: made }
  }

  #storeProfile(id: number, body: QualityProfileBody): Outcome {
    if (this.state.profiles.some((one) => one.name === body.name && one.id !== id))
      return refuse(400, 'invalid_argument', wrongField('name', { kind: 'name_taken', what: 'profile' }).reason)
    const stored = { ...body, id }
    const others = this.state.profiles
      .filter((one) => one.id !== id)
      .map((one) => (body.default ? { ...one, default: false } : one))
    this.state.profiles = [...others, stored].sort((a, b) => a.id - b.id)
    return { answer: stored }
  }

  #metadata() {
    return { ...this.state.metadataAddresses, has_api_key: this.state.metadataKey !== '' }
  }

  #proxy() {
    const { proxyHost } = this.state
    return { available: true, ...(proxyHost === undefined ? {} : { proxy_host: proxyHost }) }
  }

  #overview(): WireOverview {
    const enabled = new Set(this.state.sites.filter((site) => site.enabled).map((site) => site.name))
    const users = this.state.liveSites.flatMap(({ name, user }) =>
      user === undefined || !enabled.has(name) ? [] : [user],
    )
    const sum = (read: (user: (typeof users)[number]) => number) => users.reduce((total, user) => total + read(user), 0)
    const downloaded = sum((user) => user.downloaded)
    return {
      totals: {
        uploaded: sum((user) => user.uploaded),
        downloaded,
        ratio: downloaded === 0 ? 0 : sum((user) => user.uploaded) / downloaded,
        seeding: sum((user) => user.seeding),
        leeching: sum((user) => user.leeching),
        bonus: sum((user) => user.bonus),
        bonus_per_hour: sum((user) => user.bonus_per_hour ?? 0),
        seeding_size: sum((user) => user.seeding_size ?? 0),
        site_count: enabled.size,
        unread_messages: sum((user) => user.unread_messages),
      },
      today: this.state.today,
      updated_at: users.reduce((newest, user) => Math.max(newest, user.updated_at), 0),
    }
  }

  /** The real routes, over texts in memory. */
  #templates(operationId: string, call: object): Promise<Outcome> {
    const { templates, nowUnix, localeSettings } = this.state
    const routes = templateRoutes({
      locale: localeOf('UTC', localeSettings.language),
      templates: {
        preview: (type, texts, language) => previewTemplate(eventIn(templateEventOf(type), language), texts),
        stored: async () => templates,
        save: async (type, texts) => {
          templates.delete(type)
          if (texts.title === '' && texts.text === '') return undefined
          const stored = { ...texts, updatedAtUnix: nowUnix }
          templates.set(type, stored)
          return stored
        },
        render: () => Promise.reject(new Error('nothing is sent from here')),
      },
    })
    return ofRoutes(routes, operationId, call)
  }

  #storeChannel(id: number, body: ChannelBody): Outcome {
    const before = this.state.channels.find((one) => one.id === id)
    const { address = '', chat_id, header_name = before?.header_name } = body
    const stored: WireChannel = {
      waiting: 0,
      lost: 0,
      ...before,
      id,
      name: body.name,
      type: body.type,
      enabled: body.enabled,
      events: body.events,
      place:
        body.fields?.['server'] ??
        (address === '' ? (before?.place ?? 'https://api.telegram.org') : new URL(address).origin),
      ...(chat_id === undefined ? {} : { chat_id }),
      ...(header_name === undefined || header_name === '' ? {} : { header_name }),
      ...this.#serviceFields(before, body),
      ...((body.signing_key ?? (before?.signed === true ? 'kept' : '')) === '' ? {} : { signed: true as const }),
    }
    return this.#keep('channels', stored)
  }

  /** A secret is shown as null. */
  #serviceFields(before: WireChannel | undefined, { type, fields }: ChannelBody): Pick<WireChannel, 'fields'> {
    const service = channelServices.find((one) => one.type === type)
    if (service === undefined) return {}
    const given = Object.entries({ ...before?.fields, ...fields }).filter(([, value]) => value !== '')
    const isSecret = (name: string) => service.fields.some((field) => field.name === name && field.secret === true)
    return { fields: Object.fromEntries(given.map(([name, value]) => [name, isSecret(name) ? null : value])) }
  }

  #storeLibrary(id: number, body: LibraryBody): Outcome {
    const others = this.state.libraries
      .filter((one) => one.id !== id)
      .map((one) => (body.default && one.media_type === body.media_type ? { ...one, default: false } : one))
    const stored: WireLibrary = { id, ...body }
    this.state.libraries = [...others, stored].sort((a, b) => a.id - b.id)
    return { answer: stored }
  }

  #storeBrushTask(id: number, body: BrushTaskBody): Outcome {
    const none = { uploaded: 0, downloaded: 0, added: 0, removed: 0 }
    const stored: WireConsoleBrushTask = {
      active: 0,
      downloading: 0,
      active_size: 0,
      today: none,
      total: none,
      ...this.state.brushTasks.find((one) => one.id === id),
      ...body,
      id,
      downloader_id: body.downloader_id ?? 0,
      downloader: this.state.downloaders.find((one) => one.id === body.downloader_id)?.name ?? 'nas-1',
      site_enabled: this.state.sites.some((one) => one.name === body.site && one.enabled),
      due_at: this.state.nowUnix,
    }
    return this.#keep('brushTasks', stored)
  }

  /** Checked as by the service, by the same program. */
  #keepDefinition(source: string): WireDefinitionAdded {
    const checked = checkDefinition(source)
    if (!checked.ok)
      return {
        added: false,
        faults: checked.failure.map(({ rule, path, line, detail }) => {
          const reason: Reason = {
            kind: 'definition.wrong',
            rule,
            path: path.join('.'),
            ...(line === undefined ? {} : { line }),
          }
          return {
            rule,
            path: path.join('.'),
            detail,
            ...(line === undefined ? {} : { line }),
            error: said(reason),
            reason,
          }
        }),
      }
    const { id, facts } = checked.value
    const definition: WireOwnDefinition = {
      id,
      name: facts.name,
      language: facts.language,
      type: facts.type,
      links: [...facts.links],
      login: facts.login,
      captcha: facts.hasCaptcha,
      questions: facts.questions.map(({ options, ...question }) => ({
        ...question,
        ...(options === undefined
          ? {}
          : { options: Object.entries(options).map(([value, label]) => ({ value, label })) }),
      })),
      categories: facts.categories,
      host: '',
      updated_at: this.state.nowUnix,
      sites: 0,
    }
    this.state.ownDefinitions = [...this.state.ownDefinitions.filter((one) => one.id !== id), definition]
    return { added: true, definition, faults: [] }
  }

  #storeFeed(id: number, { address: given, learn, enter, ...body }: FeedBody): Outcome {
    const { announces: channel, enters, ...before } = this.state.feeds.find((one) => one.id === id) ?? { host: '' }
    const site = this.state.sites.find((one) => one.name === body.site)
    const address = learn ? `https://${body.site}.example/` : given
    // As the server has it: what was a channel and is none any more is the site's own list.
    const kept = channel !== undefined && body.announces === undefined ? '' : before.host
    const stored: WireFeed = {
      found: 0,
      taken: 0,
      due_at: this.state.nowUnix,
      ...before,
      ...body,
      id,
      host: address === undefined ? kept : address === '' ? '' : new URL(address).host,
      ...(enter !== undefined || (enters && given === undefined) ? { enters: true as const } : {}),
      site_enabled: site?.enabled === true,
    }
    return this.#keep('feeds', stored)
  }

  #storeEndRule(id: number, body: EndRuleBody): Outcome {
    const stored: WireStoredEndRule = { ended: 0, ended_today: 0, ...body, id }
    const isNew = !this.state.endRules.some((one) => one.id === id)
    this.state.endRules = isNew
      ? [...this.state.endRules, stored]
      : this.state.endRules.map((one) => (one.id === id ? { ...one, ...stored } : one))
    return { answer: stored }
  }

  #storeRule(id: number, body: RuleBody): Outcome {
    const stored: WireStoredRule = { taken: 0, taken_today: 0, size_today: 0, ...body, id }
    const isNew = !this.state.rules.some((one) => one.id === id)
    this.state.rules = isNew
      ? [...this.state.rules, stored]
      : this.state.rules.map((one) => (one.id === id ? { ...one, ...stored, taken: one.taken } : one))
    return { answer: stored }
  }

  #storeSite(id: number, body: SiteBody): Outcome {
    const before = this.state.sites.find((one) => one.id === id)
    if (this.state.sites.some((one) => one.name === body.name && one.id !== id))
      return refuse(400, 'invalid_argument', wrongField('name', { kind: 'name_taken', what: 'site' }).reason)
    const { cookie, api_key, overrides, inactivity_days, remind_before_days, capacity_gib, proxy, answers, ...rest } =
      body
    const proxyHost = proxy === undefined ? before?.proxy_host : proxy === '' ? undefined : new URL(proxy).host
    const stored: WireConsoleSite = {
      ...rest,
      id,
      has_cookie: cookie === undefined ? (before?.has_cookie ?? false) : cookie !== '',
      has_api_key: api_key === undefined ? (before?.has_api_key ?? false) : api_key !== '',
      ...(proxyHost === undefined ? {} : { proxy_host: proxyHost }),
      inactivity_days: inactivity_days ?? 30,
      remind_before_days: remind_before_days ?? 10,
      capacity_gib: capacity_gib ?? 0,
      overrides: overrides ?? {},
      answered: answers === undefined ? (before?.answered ?? []) : Object.keys(answers),
      ...abilitiesOf(body.kind),
    }
    return this.#keep('sites', stored)
  }

  /** The rules and the routes are the service's own; its gates go by what this one would do. */
  #explainPush(body: PushWhyBody): Promise<Outcome> {
    const { statuses, rules, tasks, nowUnix } = this.state
    const target = ({ id, name, default: isDefault }: WireDownloader) => ({ id, name, isDefault }) as DownloaderTarget
    const isKnown = tasks.some(({ site, torrent_id }) => site === body.site && torrent_id === body.torrent_id)
    return ofRoutes(
      pushWhyRoutes({
        clock: { nowMs: () => nowUnix * 1000 },
        sites: { find: async (name: string) => ({ record: { name, enabled: true }, target: {} }) } as never,
        downloaders: { targets: async () => statuses.map(target) } as never,
        filterRules: {
          list: async () =>
            rules.map((rule) => ({ ...rule, takenToday: { count: rule.taken_today, bytes: rule.size_today } })),
        } as never,
        ruleOwned: async () => () => ({}),
        ruleDisks: async () =>
          statuses
            .filter(({ free_space }) => free_space >= 0)
            .map((one) => ({ downloaderId: one.id, isDefault: one.default, folder: '', leftBytes: one.free_space })),
        pushForesight: {
          foresee: async (_site, { id }, { sizeBytes }) => {
            const freeBytes = statuses.find((one) => one.id === id)?.free_space
            const space = { freeBytes, pendingBytes: 0, minFreeBytes: 1024 ** 3 }
            const reason = stopForSpace(space, sizeBytes)
            return succeed([
              isKnown
                ? { gate: 'present', state: 'shut', reason: { kind: 'push.there_already' } }
                : { gate: 'present', state: 'unknown' },
              { gate: 'capacity', state: 'open' },
              reason === undefined
                ? { gate: 'space', state: 'open', space }
                : { gate: 'space', state: 'shut', space, reason },
            ] as const)
          },
        },
      }),
      'explainPush',
      { body },
    )
  }

  /** The routes are the service's own; what does not fit on the disk is stopped. */
  #ofFeedItem(operationId: string, call: object): Promise<Outcome> {
    const { statuses, rules, feedItems } = this.state
    const itemOf = (wanted: number) => feedItems.find(({ id }) => id === wanted)
    const target = ({ id, name, default: isDefault }: WireDownloader) => ({ id, name, isDefault }) as DownloaderTarget
    return ofRoutes(
      consoleFeedItemRoutes({
        feeds: {
          async item(id: number) {
            const one = itemOf(id)
            if (one === undefined) return undefined
            const { site, feed, torrent_id: torrentId, title, subtitle, size: sizeBytes, discount: promotion } = one
            const candidate = {
              site,
              feed,
              torrentId,
              title,
              subtitle,
              sizeBytes,
              promotion,
              freeUntilUnix: one.free_until,
            }
            return { ...one, candidate, decidedAtUnix: one.decided_at, foundAtUnix: one.found_at }
          },
          async overrule({ id }: { id: number }, status: WireFeedItem['status']) {
            const one = itemOf(id)
            if (one !== undefined) one.status = status
          },
        } as never,
        filterRules: { list: async () => rules, takenBefore: async () => new Map() } as never,
        sites: { find: async (name: string) => ({ record: { name, enabled: true }, target: {} }) } as never,
        downloaders: { targets: async () => statuses.map(target) } as never,
        pushService: {
          push: async (_site: object, { id }: DownloaderTarget, { torrentId }: { torrentId: string }) => {
            const freeBytes = statuses.find((one) => one.id === id)?.free_space
            const sizeBytes = feedItems.find((one) => one.torrent_id === torrentId)?.size
            const reason = stopForSpace({ freeBytes, pendingBytes: 0, minFreeBytes: 1024 ** 3 }, sizeBytes)
            return succeed(
              reason === undefined
                ? { kind: 'pushed', infoHash: 'ab'.repeat(20) }
                : { kind: 'stopped', infoHash: 'ab'.repeat(20), reason },
            )
          },
        } as never,
      }),
      operationId,
      call,
    )
  }

  #push(body: {
    site: string
    torrent_id: string
    title?: string
    downloader_id?: number
    category?: string
  }): Outcome {
    const usual = this.state.statuses.find((one) => one.default) ?? this.state.statuses[0]
    const downloader =
      body.downloader_id === undefined ? usual : this.state.statuses.find((one) => one.id === body.downloader_id)
    if (downloader === undefined)
      return refuse(
        400,
        'invalid_argument',
        wrongField('downloader_id', { kind: 'none', what: 'downloader_on' }).reason,
      )
    const place = { downloader_id: downloader.id, downloader: downloader.name }
    const item = this.state.found.find((one) => one.site === body.site && one.torrent_id === body.torrent_id)
    if (item === undefined)
      return refuse(502, 'download_failed', {
        kind: 'push.download',
        reason: { kind: 'site.broken', part: 'torrent' },
      })
    const known = this.state.tasks.some((task) => task.site === item.site && task.torrent_id === item.torrent_id)
    if (known) return { answer: { success: true, skipped: true, ...place } }
    if (item.size > downloader.free_space)
      return {
        answer: {
          success: false,
          skipped: false,
          ...withReason('message', {
            kind: 'push.space_too_little',
            left: 1085.44 * 1024 ** 3,
            size: 8182.4 * 1024 ** 3,
            kept: 1024 ** 3,
          }),
          ...place,
        },
      }
    this.state.tasks = [
      {
        id: this.state.tasks.length + 1,
        site: item.site,
        torrent_id: item.torrent_id,
        title: body.title ?? item.title,
        size: item.size,
        category: body.category ?? '',
        free: item.free,
        has_hr: item.has_hr,
        pushed: true,
        pushed_at: this.state.nowUnix,
        downloader: downloader.name,
        progress: 0,
        completed: false,
        source: 'app_push',
        created_at: this.state.nowUnix,
      },
      ...this.state.tasks,
    ]
    return { answer: { success: true, skipped: false, ...place } }
  }

  #store(id: number, body: Omit<WireConsoleDownloader, 'id' | 'has_password'> & { password?: string }): Outcome {
    const before = this.state.downloaders.find((one) => one.id === id)
    const { password, ...rest } = body
    const stored = {
      ...rest,
      id,
      has_password: password === undefined ? (before?.has_password ?? false) : password !== '',
      min_free_gib: body.min_free_gib ?? before?.min_free_gib ?? 1,
    }
    const others = this.state.downloaders
      .filter((one) => one.id !== id)
      .map((one) => (stored.default ? { ...one, default: false } : one))
    this.state.downloaders = [...others, stored].sort((a, b) => a.id - b.id)
    return { answer: stored }
  }

  #torrent(downloaderId: number, taskId: string): WireTorrent | undefined {
    return this.state.torrents.find((one) => one.downloader_id === downloaderId && one.task_id === taskId)
  }

  #change(body: { change: WireTorrentChange; targets: { downloader_id: number; task_id: string }[] }): Outcome {
    const { change } = body
    const results = body.targets.map((target) => {
      const torrent = this.#torrent(target.downloader_id, target.task_id)
      if (torrent === undefined)
        return { ...target, success: false, ...withReason('message', { kind: 'none', what: 'torrent' }) }
      const { torrentDetails: details } = this.state
      if (change.kind === 'queue')
        return { ...target, success: false, ...withReason('message', { kind: 'downloader.rejected' }) }
      if (change.kind === 'recheck') torrent.state = 'checking'
      if (change.kind === 'category') torrent.category = change.category
      if (change.kind === 'tags') torrent.tags = change.tags
      if (change.kind === 'move') torrent.save_path = change.save_path
      if (change.kind === 'limits')
        Object.assign(details, { upload_limit: change.upload_limit, download_limit: change.download_limit })
      if (change.kind === 'files')
        details.files = details.files.map((file) =>
          change.indexes.includes(file.index) ? { ...file, priority: change.priority } : file,
        )
      return { ...target, success: true }
    })
    const succeeded = results.filter((result) => result.success).length
    return { answer: { succeeded, failed: results.length - succeeded, results } }
  }

  #addTorrent(body: {
    magnet?: string
    address?: string
    file?: string
    downloader_id?: number
    paused?: boolean
  }): Outcome {
    const { magnet, address, file } = body
    if (address !== undefined && !/\.example\//.test(address)) {
      const rule = { kind: 'rule.public_address' } as const
      return refuse(400, 'invalid_argument', { kind: 'field.wrong', field: 'address', part: 'field', rule })
    }
    const link = new URLSearchParams(magnet?.slice(magnet.indexOf('?')) ?? '')
    const hash = (link.get('xt')?.replace('urn:btih:', '') ?? String(file?.length ?? 7)).padStart(40, '0')
    const title = link.get('dn') ?? (file === undefined ? 'From an address' : 'From a file')
    const [first] = this.state.torrents
    const owner = this.state.statuses.find(({ id }) => id === body.downloader_id)
    const place = { title, info_hash: hash, downloader_id: body.downloader_id ?? 1, downloader: owner?.name ?? '' }
    if (this.#torrent(place.downloader_id, hash) !== undefined)
      return {
        answer: { success: true, skipped: true, ...withReason('message', { kind: 'push.there_already' }), ...place },
      }
    if (first !== undefined)
      this.state.torrents.unshift({
        ...first,
        ...place,
        task_id: hash,
        progress: 0,
        state: body.paused === true ? 'paused' : 'downloading',
      })
    return { answer: { success: true, skipped: false, ...place } }
  }

  #listed(query: Call['query']): { readonly answer: WireTorrentPage } {
    const list = this.#handlers['listTorrents'] as (call: Call) => { readonly answer: WireTorrentPage }
    return list({ params: [], body: undefined, query, closed: new AbortController().signal })
  }

  #planIs(state: WireSitePlan['state']): Outcome {
    const plan = this.state.sitePlan
    if (plan === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'site_plan' })
    this.state.sitePlan = { ...plan, state, steps: plan.steps.map((step) => ({ ...step, state: 'done' })) }
    return { answer: this.state.sitePlan }
  }

  #beginRun({ deed, except = [], at_most, ...filter }: TorrentRunBody): Outcome {
    const listed = this.#listed({ ...filter, page: 1, page_size: Number.MAX_SAFE_INTEGER })
    const isLeft = (torrent: WireTorrent) =>
      except.some((one) => one.task_id === torrent.task_id && one.downloader_id === torrent.downloader_id)
    const torrents = listed.answer.items.filter((torrent) => !isLeft(torrent))
    if (torrents.length > at_most)
      return refuse(409, 'busy', { kind: 'torrent_run.more_match', count: torrents.length, limit: at_most })
    return this.#runOn(deed.kind, torrents)
  }

  #runOn(deed: WireTorrentRun['deed'], torrents: readonly WireTorrent[]): Outcome {
    const run: WireTorrentRun = {
      ...{ id: this.state.torrentRuns.length + 1, deed, status: 'running', total: torrents.length, succeeded: 0 },
      ...{ failed: 0, failures: [], unread: [], created_at: this.state.nowUnix },
    }
    this.state.torrentRuns.push({ run, before: torrents.map((torrent) => ({ ...torrent })) })
    return { answer: run }
  }

  #ofRun(params: readonly string[], act: (one: StandInRun) => void): Outcome {
    const found = this.state.torrentRuns.find(({ run }) => run.id === Number(params[0]))
    if (found === undefined) return refuse(404, 'not_found', { kind: 'none', what: 'torrent_run' })
    act(found)
    return { answer: found.run }
  }

  #carryOn({ run, before }: StandInRun): void {
    if (run.status !== 'running') return
    const targets = before.slice(run.succeeded, run.succeeded + 100)
    this.#act({ action: run.deed, targets })
    run.succeeded += targets.length
    if (run.succeeded === run.total) run.status = 'done'
  }

  #act(body: { action: string; targets: { downloader_id: number; task_id: string }[] }): Outcome {
    const results = body.targets.map((target) => {
      const torrent = this.state.torrents.find(
        (one) => one.downloader_id === target.downloader_id && one.task_id === target.task_id,
      )
      if (torrent === undefined)
        return { ...target, success: false, ...withReason('message', { kind: 'none', what: 'torrent' }) }
      if (body.action.startsWith('delete')) this.state.torrents = this.state.torrents.filter((one) => one !== torrent)
      else torrent.state = body.action === 'pause' ? 'paused' : torrent.progress < 100 ? 'downloading' : 'seeding'
      return { ...target, success: true }
    })
    const succeeded = results.filter((result) => result.success).length
    return { answer: { succeeded, failed: results.length - succeeded, results } }
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** A square of one colour, which depends on the name. */
function squareIcon(name: string): Buffer {
  const side = 16
  const hue = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: side }, () =>
      Buffer.from([40 + (hue % 150), 60 + ((hue >> 3) % 130), 80 + ((hue >> 6) % 120)]),
    ),
  ])
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const readyDefinitions = siteDefinitions.parse(
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../workers/app/definitions/sites.json'), 'utf8')),
)

export function abilitiesOf(kind: WireConsoleSite['kind'], signsIn = true, searches = true) {
  const { statistics, signIn, search, hitAndRun, credential } = siteAbilities[kind]
  return { statistics, sign_in: signIn && signsIn, search: search && searches, hit_and_run: hitAndRun, credential }
}

function toWireDefinition({
  id,
  name,
  name_en,
  kind,
  address,
  inactivity_days,
  overrides,
}: (typeof readyDefinitions)[number]) {
  return {
    id,
    name,
    ...(name_en === undefined ? {} : { name_en }),
    kind,
    ...(address === undefined ? {} : { address }),
    ...(inactivity_days === undefined ? {} : { inactivity_days }),
    ...abilitiesOf(kind, overrides?.signs_in ?? true, overrides?.searches ?? true),
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
export function builtHeaders(pathname: string): Record<string, string> {
  const headers: Record<string, string> = {}
  let applies = false
  for (const line of readFileSync(path.join(pages, '_headers'), 'utf8').split('\n')) {
    if (/^\S/.test(line)) applies = pathname.startsWith(line.trim().replace(/\*$/, ''))
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
    ...builtHeaders(pathname),
    'content-type': types[path.extname(wanted)] ?? 'application/octet-stream',
  })
  response.end(content)
}
