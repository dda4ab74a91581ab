/** The App API, the console's endpoints, what of them is for scripts, the tunnel, and the ways in for cookies and for other programs: which routes there are, and nothing else. */
import { chatHookPrefix } from './contract/chat-hook.ts'
import { cookiePushPrefix } from './contract/cookie-push.ts'
import { appRouteDeclarations } from './contract/routes.ts'
import { settingFrom } from './contract/settings-api.ts'
import { tunnelPrefix } from './contract/tunnel.ts'
import type { Principal } from './core/principal.ts'
import { mcpPath, torznabPrefix } from './core/vocabulary.ts'
import { createAssistantTools } from './http/assistant-tools.ts'
import type { BoundRoute } from './http/bind.ts'
import { createChatApp } from './http/chat-app.ts'
import { serveChatHook } from './http/chat-hook.ts'
import { serveCookiePush } from './http/cookie-push.ts'
import { shareWithOrigins } from './http/foreign-origins.ts'
import { interfaceDocumentPath, serveInterfaceDocument } from './http/interface-document.ts'
import { serveMcp } from './http/mcp.ts'
import { isOperatingPath, type OperatingDeps, serveOperating } from './http/operating.ts'
import { assistantRoutes } from './http/routes/assistant.ts'
import { brushRoutes } from './http/routes/brush.ts'
import { configurationRoutes, keepDeclared } from './http/routes/configuration.ts'
import { consoleAccountRoutes } from './http/routes/console-account.ts'
import { consoleAssistantRoutes } from './http/routes/console-assistant.ts'
import { consoleAuditRoutes } from './http/routes/console-audit.ts'
import { consoleBackupRoutes } from './http/routes/console-backups.ts'
import { consoleBrushRoutes } from './http/routes/console-brush.ts'
import { consoleChannelRoutes } from './http/routes/console-channels.ts'
import { consoleChatRoutes } from './http/routes/console-chats.ts'
import { consoleCookieRoutes } from './http/routes/console-cookies.ts'
import { consoleDefinitionRoutes } from './http/routes/console-definitions.ts'
import { consoleDeviceRoutes } from './http/routes/console-devices.ts'
import { consoleDownloaderRoutes } from './http/routes/console-downloaders.ts'
import { consoleEndRoutes } from './http/routes/console-ends.ts'
import { consoleFeedItemRoutes } from './http/routes/console-feed-items.ts'
import { consoleFeedRoutes } from './http/routes/console-feeds.ts'
import { consoleGatewayRoutes } from './http/routes/console-gateway.ts'
import { consoleHealthRoutes } from './http/routes/console-health.ts'
import { consoleJobRoutes } from './http/routes/console-jobs.ts'
import { consoleLibraryRoutes } from './http/routes/console-libraries.ts'
import { consolePasskeyRoutes } from './http/routes/console-passkeys.ts'
import { consoleReseedRoutes } from './http/routes/console-reseed.ts'
import { consoleRuleRoutes } from './http/routes/console-rules.ts'
import { consoleSearchRoutes } from './http/routes/console-search.ts'
import { consoleSettingRoutes } from './http/routes/console-settings.ts'
import { consoleSiteRoutes } from './http/routes/console-sites.ts'
import { consoleSubscriptionRoutes } from './http/routes/console-subscriptions.ts'
import { consoleTokenRoutes } from './http/routes/console-tokens.ts'
import { consoleTorrentRoutes } from './http/routes/console-torrents.ts'
import { consoleTransferRoutes } from './http/routes/console-transfers.ts'
import { consoleWatchlistRoutes } from './http/routes/console-watchlists.ts'
import { decisionRoutes } from './http/routes/decisions.ts'
import { downloaderRoutes } from './http/routes/downloaders.ts'
import { exploreRoutes } from './http/routes/explore.ts'
import { mediaRoutes } from './http/routes/media.ts'
import { messageRoutes } from './http/routes/messages.ts'
import { metaRoutes } from './http/routes/meta.ts'
import { overviewRoutes } from './http/routes/overview.ts'
import { pushRoutes } from './http/routes/push.ts'
import { pushWhyRoutes } from './http/routes/push-why.ts'
import { searchRoutes } from './http/routes/search.ts'
import { sitePlanRoutes } from './http/routes/site-plans.ts'
import { siteWatchRoutes } from './http/routes/site-watch.ts'
import { siteRoutes } from './http/routes/sites.ts'
import { subscriptionRoutes } from './http/routes/subscriptions.ts'
import { taskRoutes } from './http/routes/tasks.ts'
import { templateRoutes } from './http/routes/templates.ts'
import { torrentRunRoutes } from './http/routes/torrent-runs.ts'
import { torrentRoutes } from './http/routes/torrents.ts'
import { updateRoutes } from './http/routes/updates.ts'
import { serveRoutes } from './http/serve-routes.ts'
import { serveTorznab } from './http/torznab.ts'
import { serveTunnel } from './http/tunnel.ts'
import { createTunnelApp, type TunnelApp } from './http/tunnel-app.ts'
import type { ChatApp } from './ports/chats.ts'
import type { AppDeps } from './ports.ts'

export const appPrefix = '/api/app/v1'
export const consolePrefix = '/api/console/v1'
export const settingsPrefix = '/api/settings/v1'
const documentPath = `${appPrefix}${interfaceDocumentPath}`

export function appRoutes(deps: AppDeps): BoundRoute[] {
  return [
    ...metaRoutes(deps, appRouteDeclarations),
    ...overviewRoutes(deps),
    ...siteRoutes(deps),
    ...siteWatchRoutes(deps),
    ...sitePlanRoutes(deps),
    ...torrentRoutes(deps),
    ...torrentRunRoutes(deps),
    ...downloaderRoutes(deps),
    ...searchRoutes(deps),
    ...pushRoutes(deps),
    ...pushWhyRoutes(deps),
    ...decisionRoutes(deps),
    ...taskRoutes(deps),
    ...brushRoutes(deps),
    ...mediaRoutes(deps),
    ...subscriptionRoutes(deps),
    ...exploreRoutes(deps),
    ...updateRoutes(deps),
    ...templateRoutes(deps),
    ...messageRoutes(deps),
    ...assistantRoutes(deps),
  ]
}

export function consoleRoutes(deps: AppDeps): BoundRoute[] {
  return keepDeclared(deps, [
    ...consoleAccountRoutes(deps),
    ...consoleTokenRoutes(deps),
    ...consoleDownloaderRoutes(deps),
    ...consoleTorrentRoutes(deps),
    ...consoleSearchRoutes(deps),
    ...consoleAuditRoutes(deps),
    ...consoleSiteRoutes(deps),
    ...consoleDefinitionRoutes(deps),
    ...consoleJobRoutes(deps),
    ...consoleHealthRoutes(deps),
    ...consoleBackupRoutes(deps),
    ...consoleSettingRoutes(deps),
    ...consoleChannelRoutes(deps),
    ...consoleChatRoutes(deps),
    ...consoleBrushRoutes(deps),
    ...consoleFeedRoutes(deps),
    ...consoleFeedItemRoutes(deps),
    ...consoleRuleRoutes(deps),
    ...consoleEndRoutes(deps),
    ...consoleTransferRoutes(deps),
    ...consoleReseedRoutes(deps),
    ...consoleAssistantRoutes(deps),
    ...consoleSubscriptionRoutes(deps),
    ...consoleWatchlistRoutes(deps),
    ...consoleLibraryRoutes(deps),
    ...consoleGatewayRoutes(deps),
    ...consoleDeviceRoutes(deps),
    ...consolePasskeyRoutes(deps),
    ...consoleCookieRoutes(deps),
  ])
}

/** What of it is for tokens that may configure. */
export function settingRoutes(deps: AppDeps, console = consoleRoutes(deps)): BoundRoute[] {
  const offered = console.flatMap(({ route, handle }): BoundRoute[] => {
    const setting = settingFrom(route)
    return setting === undefined ? [] : [{ route: setting, handle }]
  })
  return [...offered, ...configurationRoutes(deps)]
}

export interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** Addresses that are the app's own; on all others the console's pages are found. */
export function isAppPath(pathname: string): boolean {
  return (
    pathname.startsWith('/api/') ||
    pathname.startsWith(`${torznabPrefix}/`) ||
    pathname === mcpPath ||
    isOperatingPath(pathname)
  )
}

/** Of an app that stands alone. */
const ownMetrics = { traffic: () => [], areMetricsOpen: false }

export function createApp(deps: AppDeps, metrics: Pick<OperatingDeps, 'traffic' | 'areMetricsOpen'> = ownMetrics): App {
  const routes = serveRoutes(deps, { prefix: appPrefix, accepts: 'token_or_session', routes: appRoutes(deps) })
  const interfaceDocument = serveInterfaceDocument(deps, 'app')
  const app = shareWithOrigins(deps, (request) =>
    new URL(request.url).pathname === documentPath ? interfaceDocument(request) : routes.fetch(request),
  )
  const ownRoutes = consoleRoutes(deps)
  const console = serveRoutes(deps, { prefix: consolePrefix, accepts: 'session', routes: ownRoutes })
  const settings = serveRoutes(deps, {
    prefix: settingsPrefix,
    accepts: 'token',
    routes: settingRoutes(deps, ownRoutes),
  })
  const settingsDocument = serveInterfaceDocument(deps, 'settings')
  const tunnel = serveTunnel(deps)
  const cookiePush = serveCookiePush(deps)
  const chatHook = serveChatHook(deps)
  const torznab = serveTorznab(deps)
  const mcp = serveMcp(deps, createAssistantTools(deps))
  const operating = serveOperating({ ...deps, ...metrics })
  return {
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (isOperatingPath(pathname)) return operating(request)
      if (pathname.startsWith(`${tunnelPrefix}/`)) return tunnel.fetch(request)
      if (pathname.startsWith(`${torznabPrefix}/`)) return torznab.fetch(request)
      if (pathname === mcpPath) return mcp.fetch(request)
      if (pathname.startsWith(`${chatHookPrefix}/`)) return chatHook.fetch(request)
      if (pathname.startsWith(`${cookiePushPrefix}/`)) return cookiePush.fetch(request)
      if (pathname === `${settingsPrefix}${interfaceDocumentPath}`) return settingsDocument(request)
      if (pathname.startsWith(`${settingsPrefix}/`)) return settings.fetch(request)
      return pathname.startsWith(`${consolePrefix}/`) ? console.fetch(request) : app(request)
    },
  }
}

/** What is at the end of the tunnel: the App API, and no other address there is. */
export function createTunnelledApp(deps: AppDeps): TunnelApp {
  return createTunnelApp(serveKnownCallers(deps))
}

/** What a paired chat reaches: the same. */
export function createChatAppOf(deps: AppDeps): ChatApp {
  return createChatApp(appPrefix, serveKnownCallers(deps))
}

function serveKnownCallers(deps: AppDeps): (request: Request, caller: Principal) => Response | Promise<Response> {
  const app = serveRoutes(deps, { prefix: appPrefix, accepts: 'known_caller', routes: appRoutes(deps) })
  return (request, caller) => app.fetch(request, { caller })
}
