import { parse as parseToml } from 'smol-toml'
import type { Clock } from '#shared/kernel/clock.ts'
import { entryOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { factsOf, type PriceList, readPriceList } from '#shared/models/price-list.ts'
import type { SyncSql } from '#shared/sql/sync-sql.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'
import { callExporter } from './adapters/call-exporter.ts'
import { CallMeter } from './adapters/call-meter.ts'
import { compatibleClient } from './adapters/compatible-client.ts'
import { credentialSource, type HostFiles } from './adapters/credentials.ts'
import { fetchOutgoing, webDigests, webRandom, webTimers, writeLine } from './adapters/edge-platform.ts'
import { externalModels } from './adapters/external-models.ts'
import { externalProvider } from './adapters/external-provider.ts'
import { imageDownload } from './adapters/image-download.ts'
import { keptBodies } from './adapters/kept-bodies.ts'
import { keyCheck } from './adapters/key-check.ts'
import { KeyLedger } from './adapters/key-ledger.ts'
import { livePrices } from './adapters/live-prices.ts'
import { liveRoutes } from './adapters/live-routes.ts'
import { type Defer, localKeyStore } from './adapters/local-key-store.ts'
import { localResponseStore } from './adapters/local-response-store.ts'
import { meteredEndpoint, meteredProvider } from './adapters/metered-provider.ts'
import { modelDirectory } from './adapters/model-directory.ts'
import { bearerAuthentication, signedAuthentication } from './adapters/provider-authentication.ts'
import { ProviderClient } from './adapters/provider-client.ts'
import { readApiKey } from './adapters/provider-store.ts'
import { RequestSigner } from './adapters/request-signer.ts'
import { ResponseRows } from './adapters/response-rows.ts'
import { localRouteStore, RouteRows } from './adapters/route-rows.ts'
import { ownProvider, routedProvider } from './adapters/routed-provider.ts'
import type { KeepAlive } from './adapters/shared-reading.ts'
import { tokenText } from './adapters/token-text.ts'
import { createGateway, type GatewayDeps } from './app.ts'
import { type EmbeddingRegistry, readEmbeddingRegistry } from './core/embeddings/embedding-registry.ts'
import { failure } from './core/failure.ts'
import type { CallRecord } from './core/keys/call-record.ts'
import type { KeyGrant } from './core/keys/key-record.ts'
import { calendarOf } from './core/keys/moment.ts'
import { Metrics } from './core/metrics.ts'
import { resolveModel } from './core/model-resolution.ts'
import type { ProviderList } from './core/providers/provider-list.ts'
import type { Keyring } from './core/reasoning-capsule.ts'
import { compatibleIds, type ModelRegistry, readModelRegistry } from './core/registry.ts'
import { type GatewayStartFault, sayStartFault } from './core/start-fault.ts'
import { commonHeaders, failureReply } from './http/exchange.ts'
import { stepPrices } from './http/known-steps.ts'
import { requestClientEnd } from './http/request-client-end.ts'
import { requestIdOf } from './http/request-context.ts'
import { ownMetrics } from './http/routes/operating.ts'
import { Semaphore } from './http/semaphore.ts'
import {
  bodiesInFlightBytesMaxEdge,
  catalogueEntriesMax,
  keepAliveMs,
  keptResponseCharactersMax,
  keptResponseCharactersMaxDisk,
  requestIdCharactersMax,
} from './limits.ts'
import type {
  ClientEnd,
  Digests,
  GatewayRequest,
  KeyStore,
  Log,
  Outgoing,
  Random,
  ResponseStore,
  RouteStore,
  Timers,
} from './ports.ts'
import { defaultRoutePrefix, type EnvironmentText, readRoutePrefix, readSettings, type Settings } from './settings.ts'

/** What a host brings. All but the registry texts have an edge default. */
export interface GatewayHost {
  /** The texts of config/models.toml, config/embeddings.toml and config/prices.toml. */
  readonly registries: { readonly models: string; readonly embeddings: string; readonly prices: string }
  /** Where keys and what they spend are kept. */
  readonly keyStore: KeyStore
  /** Where answers that clients may go on from are kept. */
  readonly responseStore: ResponseStore
  /** Where routes beside those of the settings are kept. */
  readonly routeStore: RouteStore
  readonly outgoing?: Outgoing
  /** Fetches addresses strangers chose; a host that can resolves, judges and pins the name. */
  readonly outgoingToStrangers?: Outgoing
  readonly digests?: Digests
  readonly clock?: Clock
  readonly random?: Random
  readonly timers?: Partial<Timers>
  readonly log?: (line: string) => void
  readonly keepAlive?: KeepAlive
  readonly files?: HostFiles
  readonly bodiesInFlightBytesMax?: number
  /** Paths of other interfaces served beside this one, which the route prefix must keep clear of. */
  readonly reservedPrefixes?: readonly string[]
  /** Opens connections of messages for web requests. */
  readonly openSocket?: ClientEnd['upgrade']
  /** Metrics of the other processes that serve the same port. */
  readonly metricsOfOthers?: () => Promise<readonly string[]>
}

export interface Gateway {
  fetch(request: Request): Promise<Response>
  /** The same for a host that brings the client's end, whose answers it gets. */
  serve(request: GatewayRequest, client: ClientEnd): Promise<Response>
  /** Asked by the host for the owner: no key is looked at, and no request of the network may come here. */
  fetchAsOwner(request: Request): Promise<Response>
  /** Reads key and catalogue now; the failure says why this gateway cannot serve. */
  start(): Promise<Result<Settings, GatewayStartFault>>
  /** Streams being served. */
  openStreams(): number
  /** What this process has counted. */
  metrics(): string
  /** Tells a collector what it was not told yet. */
  close(): Promise<void>
}

/** Keys in a database that this process has to itself. Calls of the process before it are not waited for. */
export function keyStoreOver(
  sql: SyncSql,
  isDurable: boolean,
  defer: Defer,
): {
  readonly keyStore: KeyStore
  release(reservationIds: readonly string[]): void
  forgetOldBodies(nowMs: number): void
} {
  const ledger = new KeyLedger(sql)
  ledger.release()
  return {
    keyStore: localKeyStore(ledger, isDurable, defer),
    release: (reservationIds) => ledger.release(reservationIds),
    forgetOldBodies: (nowMs) => ledger.forgetOldBodies(nowMs),
  }
}

/** Answers of all keys in a database that this process has to itself. */
export function responseStoreOver(sql: SyncSql, isDurable: boolean): ResponseStore {
  const ownerCharactersMax = keptResponseCharactersMax
  const charactersMax = isDurable ? keptResponseCharactersMaxDisk : keptResponseCharactersMax
  return localResponseStore(new ResponseRows(sql, { ownerCharactersMax, charactersMax }))
}

/** Routes in a database that this process has to itself. */
export function routeStoreOver(sql: SyncSql): RouteStore {
  return localRouteStore(new RouteRows(sql))
}

/** Wires the gateway. A setting or registry that cannot be read makes every route but health answer 503 with its name. */
export function composeGateway(env: Readonly<Record<string, unknown>>, host: GatewayHost): Gateway {
  const parts = readParts(env, host)
  if (!parts.ok) return refusingGateway(env, parts.failure, host.reservedPrefixes)
  const { settings } = parts.value
  const clock = host.clock ?? { nowMs: () => Date.now() }
  const timers = { ...webTimers, ...host.timers }
  const random = host.random ?? webRandom
  const digests = host.digests ?? webDigests
  const outgoing = host.outgoing ?? fetchOutgoing
  const keepAlive = host.keepAlive ?? (() => {})
  const log = leveledLog(settings, clock, host.log ?? writeLine)
  // The platform's own fetch opens connections as it sees fit.
  if (host.outgoing === undefined && parts.value.environment['AWS_CONNECT_TIMEOUT_SECS'] !== undefined) {
    log({ level: 'warn', event: 'setting-without-effect', setting: 'AWS_CONNECT_TIMEOUT_SECS' })
  }

  const credentials = credentialSource({
    environment: parts.value.environment,
    outgoing,
    clock,
    timers,
    region: settings.region,
    tokenServiceUrl: settings.endpoints.tokenService,
    files: host.files,
  })
  const signed = signedAuthentication(new RequestSigner(digests, clock), credentials)
  const authentication = settings.bearerToken === undefined ? signed : bearerAuthentication(settings.bearerToken)
  const provider = new ProviderClient({ outgoing, authentication, settings, clock, random, timers, log })
  const endpoint = settings.compatibleEndpoint
  const compatible =
    endpoint === undefined
      ? undefined
      : compatibleClient({
          endpoint,
          authentication: endpoint.apiKey === undefined ? authentication : bearerAuthentication(endpoint.apiKey),
          outgoing,
          settings,
          clock,
          random,
          timers,
          log,
        })
  const prices =
    settings.priceFeed === undefined
      ? parts.value.prices
      : livePrices(parts.value.prices, { feed: settings.priceFeed, outgoing, clock, timers, log, keepAlive })
  const calendar = calendarOf(settings.timeZone)
  const metrics = new Metrics()
  const exporter =
    settings.telemetry === undefined
      ? undefined
      : callExporter({
          settings: settings.telemetry,
          providerNames: providerNames(settings.providers),
          outgoing,
          clock,
          random,
          timers,
          keepAlive,
          log,
        })
  const onCall = (_grant: KeyGrant, call: CallRecord, trace?: TraceParent) => {
    metrics.call(call)
    exporter?.ended(call, trace)
  }
  const keys = keyCheck(
    () => readApiKey({ outgoing, authentication: signed, timers, settings }),
    {
      digests,
      clock,
      log,
      keepAlive,
    },
    { store: host.keyStore, calendar, onCall },
  )
  const bodies = keptBodies({
    store: host.keyStore,
    calendar,
    clock,
    ring: async () => keys.ownKeyring() ?? ((await keys.isConfigured()) ? keys.ownKeyring() : undefined),
    mac: (key, bytes) => digests.hmacSha256(key, bytes),
    keepAlive,
    log,
  })
  const directory = modelDirectory({
    provider,
    rules: catalogueRules(parts.value),
    refreshMs: settings.catalogRefreshMs,
    clock,
    random,
    timers,
    log,
    keepAlive,
  })
  const meter = new CallMeter({
    store: host.keyStore,
    prices,
    directory,
    clock,
    calendar,
    random,
    keepAlive,
    log,
    onCall,
  })
  const own = { provider: ownProvider, prices: ownProvider }
  const externals = [...settings.providers.providers.values()].map((external) => {
    const { attemptsMax, streamIdleTimeoutMs } = settings
    const outputTokensMax = (model: string) => factsOf(prices, external.prices, model, model)?.outputTokensMax
    const rules = { attemptsMax, streamIdleTimeoutMs, outputTokensMax }
    const plain = externalProvider(external, { outgoing, clock, random, timers, log, ...rules })
    const named = { provider: external.name, prices: external.prices }
    const provider = {
      ...meteredProvider(plain, meter, named),
      ...meteredEndpoint(plain, meter, named),
      callsUnderWay: plain.callsUnderWay,
    }
    return [external.name, provider] as const
  })
  const externalsByName = new Map(externals)
  const routes = liveRoutes({ owned: settings.providers.routes, store: host.routeStore, clock, keepAlive, log })
  const list: ProviderList = {
    providers: settings.providers.providers,
    get routes() {
      return routes.routes
    },
  }
  const routed = routedProvider({
    list,
    own: meteredProvider(provider, meter, own),
    ownEndpoint: compatible === undefined ? undefined : meteredEndpoint(compatible, meter, own),
    externals: externalsByName,
    async ownModelId(name) {
      const found = resolveModel(name, parts.value.models, await directory.current(), settings.region)
      return found.ok ? found.value.id : undefined
    },
    stepPrices: () => stepPrices({ providers: list, prices, directory, registry: parts.value.models, settings }),
    clock,
    random,
    log,
  })
  const openStreams = new Semaphore(settings.openStreamsMax)
  const deps: GatewayDeps = {
    settings,
    registry: parts.value.models,
    embeddingRegistry: parts.value.embeddings,
    directory,
    provider: routed,
    providers: list,
    routes,
    routeStore: host.routeStore,
    externalModels: externalModels([...settings.providers.providers.values()], {
      outgoing,
      refreshMs: settings.catalogRefreshMs,
      clock,
      random,
      timers,
      log,
      keepAlive,
    }),
    allowedModels: settings.allowedModels,
    compatible: compatible === undefined && settings.providers.providers.size === 0 ? undefined : routed,
    keyStore: host.keyStore,
    calendar,
    digests,
    metrics,
    prices,
    images: imageDownload(host.outgoingToStrangers ?? outgoing, timers, settings.imageHosts),
    mac: (key, bytes) => digests.hmacSha256(key, bytes),
    keyring: () => settings.capsuleKeyring ?? keys.ownKeyring() ?? noKeyring,
    tokenText: tokenText(),
    keys,
    clock,
    random,
    timers,
    log,
    keepAliveMs,
    bodyRules: {
      bodyBytesMax: settings.bodyBytesMax,
      bodyBytes: new Semaphore(host.bodiesInFlightBytesMax ?? bodiesInFlightBytesMaxEdge),
      kept: bodies,
    },
    openStreams,
    metricsOfOthers: host.metricsOfOthers,
    responseStore: host.responseStore,
    providerStatus: (name) => ({
      ...routed.circuit(name),
      callsUnderWay: externalsByName.get(name)?.callsUnderWay() ?? 0,
    }),
    endProviderRest: routed.endRest,
  }
  const app = createGateway(deps)
  return {
    fetch: (request) =>
      Promise.resolve(app.fetch(request, { client: requestClientEnd(request, timers, host.openSocket) })),
    // The routes read no more of a request than this.
    serve: (request, client) => Promise.resolve(app.fetch(request as Request, { client })),
    fetchAsOwner: async (request) => app.fetch(request, { client: requestClientEnd(request, timers), isOwner: true }),
    openStreams: () => openStreams.held,
    metrics: () => ownMetrics(deps),
    close: async () => exporter?.send(),
    async start() {
      if ((await keys.isConfigured()) === false) {
        return failWith({ kind: 'no_key' })
      }
      await directory.current()
      return succeed(settings)
    },
  }
}

interface Parts {
  readonly settings: Settings
  readonly environment: EnvironmentText
  readonly models: ModelRegistry
  readonly embeddings: EmbeddingRegistry
  readonly prices: PriceList
}

function readParts(env: Readonly<Record<string, unknown>>, host: GatewayHost): Result<Parts, GatewayStartFault> {
  const environment = textsOf(env)
  const settings = readSettings(environment, host.reservedPrefixes)
  if (!settings.ok) return failWith({ kind: 'settings', faults: settings.failure })
  const models = readModelRegistry(tomlOf(host.registries.models))
  if (!models.ok) return failWith({ kind: 'models', fault: models.failure })
  const embeddings = readEmbeddingRegistry(tomlOf(host.registries.embeddings))
  if (!embeddings.ok) return failWith({ kind: 'embeddings', fault: embeddings.failure })
  const prices = readPriceList(tomlOf(host.registries.prices))
  if (!prices.ok) return failWith({ kind: 'prices', fault: prices.failure })
  const read = { prices: prices.value, models: models.value, embeddings: embeddings.value }
  return succeed({ settings: settings.value, environment, ...read })
}

/** Bindings that are not text belong to other interfaces; an empty value is none, whoever reads it. */
export function textsOf(env: Readonly<Record<string, unknown>>): EnvironmentText {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
    ),
  )
}

function tomlOf(text: string): unknown {
  try {
    return parseToml(text)
  } catch {
    return undefined
  }
}

function catalogueRules(parts: Parts) {
  const { settings, models, embeddings } = parts
  return {
    allowedModels: settings.allowedModels,
    hasCrossRegionProfiles: settings.hasCrossRegionProfiles,
    hasApplicationProfiles: settings.hasApplicationProfiles,
    defaultModel: settings.defaultModel,
    defaultEmbeddingModel: settings.defaultEmbeddingModel,
    preferredModels: models.preferred,
    embeddingModels: [...new Set([...embeddings.byName.values()].map((model) => model.modelId))],
    entriesMax: catalogueEntriesMax,
    isRegisteredEmbedding: (id: string) => embeddings.byName.has(id),
    aliases: new Map([...models.aliases, ...embeddings.aliases]),
    compatibleIds: settings.compatibleEndpoint === undefined ? [] : compatibleIds(models, settings.region),
  }
}

/** What the conventions for traces call makers, by their tables of prices; other providers keep their own names. */
const makerNames: Readonly<Record<string, string>> = { openai: 'openai', anthropic: 'anthropic', gemini: 'gcp.gemini' }

function providerNames({ providers }: ProviderList): ReadonlyMap<string, string> {
  const named = [...providers.values()].map(({ name, prices }) => [name, entryOf(makerNames, prices) ?? name] as const)
  return new Map([[ownProvider, 'aws.bedrock'], ...named])
}

const noKeyring: Keyring = { activeKeyId: undefined, keys: new Map() }

const levels = ['trace', 'debug', 'info', 'warn', 'error']

/** One JSON object a line. JSON escapes control characters, so a header cannot forge a line. */
function leveledLog(settings: Settings, clock: Clock, write: (line: string) => void): Log {
  const least = levels.indexOf(settings.logLevel)
  return (entry) => {
    if (levels.indexOf(entry.level) < least) return
    const id = entry['requestId']
    const cut =
      typeof id === 'string' && id.length > requestIdCharactersMax
        ? { requestId: `${id.slice(0, requestIdCharactersMax)}…` }
        : {}
    write(JSON.stringify({ time: new Date(clock.nowMs()).toISOString(), family: 'gateway', ...entry, ...cut }))
  }
}

/** A gateway whose settings cannot be read says so on every route; only health still says that it runs. */
function refusingGateway(
  env: Readonly<Record<string, unknown>>,
  fault: GatewayStartFault,
  reservedPrefixes: readonly string[] = [],
): Gateway {
  const wanted = readRoutePrefix(textsOf(env), reservedPrefixes)
  const prefix = wanted.ok ? wanted.value : defaultRoutePrefix
  return {
    openStreams: () => 0,
    metrics: () => '',
    close: async () => {},
    start: async () => failWith(fault),
    fetch: (request) => refuse(request, requestClientEnd(request, webTimers)),
    serve: refuse,
    fetchAsOwner: (request) => refuse(request, requestClientEnd(request, webTimers)),
  }
  async function refuse(request: GatewayRequest, client: ClientEnd) {
    const isHealth = request.method === 'GET' && new URL(request.url).pathname === `${prefix}/health`
    const requestId = requestIdOf(request.headers.get('x-request-id'), webRandom)
    const { body, status, headers } = isHealth
      ? { body: 'OK', status: 200, headers: {} }
      : failureReply(failure('not_configured', sayStartFault(fault)))
    return client.answer(body, status, { ...headers, ...commonHeaders(requestId) })
  }
}
