/** The only place where the App API's parts meet the runtime: bindings in, a complete app out. */
import { drizzle } from 'drizzle-orm/d1'
import type { MetricFamily } from '#shared/http/metrics-text.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import { durableSql } from '#shared/sql/durable-sql.ts'
import { version } from '../version.ts'
import { createChatModel, modelBounds } from './adapters/assistant/chat-model.ts'
import { ConversationStore } from './adapters/assistant/conversation-store.ts'
import { EventWaiters } from './adapters/assistant/event-waiters.ts'
import { cacheCredentials } from './adapters/cached-credentials.ts'
import { createBotApi } from './adapters/chat/bot-api.ts'
import { ChatMemory } from './adapters/chat/chat-memory.ts'
import { numberOfUpdate, readUpdate } from './adapters/chat/read-update.ts'
import { createApiTokens } from './adapters/d1/api-tokens.ts'
import { createAttempts } from './adapters/d1/attempts.ts'
import { createAuditLog } from './adapters/d1/audit-log.ts'
import { createConversationIndex } from './adapters/d1/conversations.ts'
import { createDevices } from './adapters/d1/devices.ts'
import { createLostSecrets } from './adapters/d1/lost-secrets.ts'
import { createOperatingStore } from './adapters/d1/operating-figures.ts'
import { createOwnerAccount } from './adapters/d1/owner-account.ts'
import { createPasskeys } from './adapters/d1/passkeys.ts'
import { createSiteCookies } from './adapters/d1/site-cookies.ts'
import { createTorrentHistory } from './adapters/d1/torrent-history.ts'
import { createTunnelKey } from './adapters/d1/tunnel-key.ts'
import { orFileToken } from './adapters/file-token.ts'
import { createGatewayService } from './adapters/gateway-service.ts'
import { createInterfaceDocument } from './adapters/interface-document.ts'
import { jsonLog } from './adapters/json-log.ts'
import { createKnownBrowsers } from './adapters/known-browsers.ts'
import { createMachineService } from './adapters/machine-service.ts'
import { openCookiePush } from './adapters/open-cookie-push.ts'
import { siteRuntimeOf } from './adapters/site-runtime.ts'
import { renderTemplate } from './adapters/template-engine.ts'
import { createDeviceEnd, type DeviceEnd } from './adapters/tunnel/device-end.ts'
import { createTunnel } from './adapters/tunnel/tunnel-service.ts'
import { randomIdentifiers, sha256 } from './adapters/web-crypto.ts'
import { workerRuntime } from './adapters/worker-runtime.ts'
import { type App, createApp, createChatAppOf, createTunnelledApp } from './app.ts'
import { secretsOf } from './compose/secrets.ts'
import { chatObject, createServiceParts, type ServiceParts } from './compose/service-parts.ts'
import { type TelemetryBindings, telemetryOf } from './compose/telemetry.ts'
import { wakeOf } from './compose/wake.ts'
import { chatHookAddress } from './contract/chat-hook.ts'
import { createPasswordPace } from './core/password-pace.ts'
import { createAssistantTools } from './http/assistant-tools.ts'
import {
  eventWaitersMax,
  passwordCheckMs,
  passwordCheckMsMax,
  passwordCheckMsMin,
  passwordRestShare,
} from './limits.ts'
import type { ChatHostParts } from './objects/chat-object.ts'
import type { ConversationHost, ConversationParts } from './objects/conversation-object.ts'
import type { TunnelHost } from './objects/tunnel-object.ts'
import type { GatewayOffice, OwnGateway } from './ports/gateway.ts'
import type { Background } from './ports/runtime.ts'
import type { AppDeps } from './ports.ts'
import { createAssistantNotices } from './services/assistant/assistant-notices.ts'
import { createAssistantService } from './services/assistant/assistant-service.ts'
import { RunDriver } from './services/assistant/run-driver.ts'
import { createCookieService } from './services/sites/cookie-service.ts'

type AppBindings = Pick<
  Cloudflare.Env,
  | 'DB'
  | 'DOWNLOADERS'
  | 'SITES'
  | 'SCHEDULER'
  | 'CATALOGUE'
  | 'CONVERSATIONS'
  | 'TUNNELS'
  | 'CHATS'
  | 'TIME_ZONE'
  | 'MASTER_KEY'
  | 'SETUP_CODE'
  | 'OUTGOING'
  | 'OUTGOING_CODE'
  | 'SITE_NETWORK'
  | 'PUBLIC_NETWORK'
  | 'PUBLIC_URL'
  | 'BASED_AT'
  | 'API_ORIGINS'
  | 'ASSETS'
  | 'OWN_HOST'
  | 'METRICS_OPEN'
  | keyof TelemetryBindings
>

const systemClock: Clock = { nowMs: () => Date.now() }

/** Of a host that serves no gateway beside the app. */
const noGateway: OwnGateway = () => undefined

export function composeAppDeps(
  env: AppBindings,
  background: Background,
  gateway: OwnGateway = noGateway,
  office?: GatewayOffice,
): AppDeps & Pick<ServiceParts, 'chats'> {
  const db = drizzle(env.DB)
  const base = { clock: systemClock, identifiers: randomIdentifiers, logger: jsonLog, background }
  const secrets = secretsOf(env)
  const apiTokens = createApiTokens(db, base)
  const attempts = createAttempts(db, systemClock)
  const passwordPace = createPasswordPace({
    checkMs: passwordCheckMs,
    checkMsMin: passwordCheckMsMin,
    checkMsMax: passwordCheckMsMax,
    restShare: passwordRestShare,
  })
  const owner = createOwnerAccount(db, { ...base, attempts, passwordPace, setupCode: env.SETUP_CODE })
  const devices = createDevices(db, { ...base, secrets })
  const credentials = cacheCredentials(
    { byToken: orFileToken(apiTokens.byToken, env.MASTER_KEY), bySession: owner.bySession, byDevice: devices.byDevice },
    systemClock,
  )
  const parts = createServiceParts(env, {
    clock: systemClock,
    logger: jsonLog,
    secrets,
    random: Math.random,
    wake: wakeOf(env),
  })
  // The generated types know the objects' classes by name only.
  const conversations = env.CONVERSATIONS as DurableObjectNamespace<ConversationHost>
  const tunnels = env.TUNNELS as DurableObjectNamespace<TunnelHost>
  const audit = createAuditLog(db, systemClock)
  return {
    ...base,
    telemetry: telemetryOf(env, base),
    torrentHistory: createTorrentHistory(db),
    wait: (ms, signal) =>
      siteRuntimeOf(env)
        .wait(ms, signal)
        .catch(() => undefined),
    apiTokens,
    owner,
    passkeys: createPasskeys(db, {
      clock: systemClock,
      passwordHash: owner.passwordHash,
      startSession: owner.startSession,
    }),
    knownBrowsers: createKnownBrowsers(env.MASTER_KEY, base),
    publicOrigins: originsIn(env.PUBLIC_URL),
    basedAt: env.BASED_AT?.split(' ') ?? [],
    apiOrigins: originsIn(env.API_ORIGINS),
    interfaceDocument: createInterfaceDocument(env.ASSETS),
    secrets,
    lostSecrets: createLostSecrets(env.DB, secrets.presentStart),
    adoptKey: secrets.adoptKey,
    credentials,
    audit,
    cookieService: createCookieService({
      ...base,
      attempts,
      audit,
      settings: parts.settings,
      cookies: createSiteCookies(db, { clock: systemClock, secrets }),
      jobs: parts.jobs,
      digest: sha256,
      open: openCookiePush,
    }),
    ...parts,
    chatHook: {
      hear: async (channelId, secret, update) => await chatObject(env.CHATS, channelId).hear(channelId, secret, update),
    },
    assistant: createAssistantService(conversations, { ...base, index: createConversationIndex(db) }),
    chatModel: createChatModel({
      settings: parts.settings,
      gateway,
      fetch: (address, init) => fetch(address, init),
      bounds: modelBounds,
    }),
    gatewayService: createGatewayService(office),
    operatingStore: createOperatingStore(db, systemClock),
    machine: createMachineService(env.OWN_HOST),
    devices,
    tunnel: createTunnel((deviceId) => tunnels.get(tunnels.idFromName(deviceId)), {
      ...base,
      attempts,
      devices,
      ownKey: createTunnelKey(db, secrets, systemClock),
      credentials,
    }),
    version,
  }
}

/** Addresses of the service, with spaces between. What is none is left out: it could not be the origin of a page. */
function originsIn(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\s+/)
    .flatMap((one) => (/^https?:\/\//.test(one) && URL.canParse(one) ? new URL(one).origin : []))
}

export function composeApp(
  env: AppBindings,
  background: Background,
  gateway: OwnGateway = noGateway,
  office?: GatewayOffice,
  traffic: () => readonly MetricFamily[] = () => [],
): App {
  const deps = composeAppDeps(env, background, gateway, office)
  return createApp(deps, { traffic, areMetricsOpen: env.METRICS_OPEN === 'yes' })
}

/** What one conversation is driven with. */
export function composeConversation(env: AppBindings, background: Background, gateway: OwnGateway): ConversationParts {
  const deps = composeAppDeps(env, background, gateway)
  const driving = {
    clock: deps.clock,
    logger: deps.logger,
    identifiers: deps.identifiers,
    audit: deps.audit,
    locale: deps.locale,
    model: deps.chatModel,
    tools: createAssistantTools(deps),
    notices: createAssistantNotices({ ...deps, renderTemplate }),
    digest: sha256,
  }
  return {
    ...driving,
    index: createConversationIndex(drizzle(env.DB)),
    waiters: new EventWaiters(eventWaitersMax),
    open: (storage) => new ConversationStore(durableSql(storage), deps.identifiers),
    drive: (store, stored) => new RunDriver(store, driving, stored),
  }
}

/** One device's end of its tunnel. What it reaches through it is composed with its first request. */
export function composeTunnel(env: AppBindings, background: Background, gateway: OwnGateway): DeviceEnd {
  let app: ReturnType<typeof createTunnelledApp> | undefined
  return createDeviceEnd(systemClock, () => {
    app ??= createTunnelledApp(composeAppDeps(env, background, gateway))
    return app
  })
}

/** What one bot is answered with. */
export function composeChat(env: AppBindings, background: Background, gateway: OwnGateway): ChatHostParts {
  const deps = composeAppDeps(env, background, gateway)
  return {
    clock: deps.clock,
    identifiers: deps.identifiers,
    logger: deps.logger,
    store: deps.chats,
    app: createChatAppOf(deps),
    texts: createAssistantNotices({ ...deps, renderTemplate }),
    locale: deps.locale,
    brush: deps.brush,
    sites: deps.sites,
    audit: deps.audit,
    version,
    open: (storage) => new ChatMemory(durableSql(storage)),
    connect: createBotApi,
    digest: sha256,
    wait: workerRuntime.wait,
    numberOf: numberOfUpdate,
    read: readUpdate,
    hookAddress: chatHookAddress,
  }
}
