/** The Worker script: picks the family by path prefix and hands the request over whole. Reads `env`, as own-gateway.ts does, and nobody else. */
import { env, waitUntil } from 'cloudflare:workers'
import { consolePrefix, isAppPath } from './app/app.ts'
import { composeCatalogue, composeDownloader, composeScheduler, composeSite } from './app/compose/objects.ts'
import { composeApp, composeChat, composeConversation, composeTunnel } from './app/compose.ts'
import { tunnelPrefix } from './app/contract/tunnel.ts'
import { isOperatingPath } from './app/http/operating.ts'
import { CatalogueHost } from './app/objects/catalogue-object.ts'
import { ChatHost } from './app/objects/chat-object.ts'
import { ConversationHost } from './app/objects/conversation-object.ts'
import { DownloaderHost } from './app/objects/downloader-object.ts'
import { SchedulerHost } from './app/objects/scheduler-object.ts'
import { SiteHost } from './app/objects/site-object.ts'
import { TunnelHost } from './app/objects/tunnel-object.ts'
import type { GatewayOffice } from './app/ports/gateway.ts'
import { gatewayPrefix, gatewaySettings, requestMeter, theGateway } from './own-gateway.ts'
import type { RouteClass } from './request-meter.ts'
import { answerToSender } from './unread-body.ts'

export { GatewayKeyObject } from './gateway/objects/gateway-key-object.ts'
export { GatewayResponsesObject } from './gateway/objects/gateway-responses-object.ts'
export { GatewayRoutesObject } from './gateway/objects/gateway-routes-object.ts'

const keepAlive = (work: Promise<unknown>) => waitUntil(work)

// Built once an isolate, on the first request it serves.
let app: ReturnType<typeof composeApp> | undefined

/** The assistant is one more client of the gateway, with its key, but without a way over the network. */
function askOwnGateway(
  path: string,
  body: string | undefined,
  sent: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const key = gatewaySettings['API_KEY']
  if (key === undefined) return undefined
  const headers = { ...sent, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? { headers, signal } : { method: 'POST', headers, body, signal }
  return theGateway().fetch(new Request(`http://gateway.invalid${gatewayPrefix}${path}`, init))
}

/** For the owner, whom the console knows by the session: no key is needed, and none is there. */
const gatewayOffice: GatewayOffice = {
  path: gatewayPrefix,
  ask(method, target, body) {
    const init = { method, headers: { 'content-type': 'application/json' }, ...(body === undefined ? {} : { body }) }
    return theGateway().fetchAsOwner(new Request(`http://gateway.invalid${gatewayPrefix}/admin${target}`, init))
  },
}

export class SchedulerObject extends SchedulerHost {
  protected override compose() {
    return composeScheduler(this.env, { run: (work) => this.ctx.waitUntil(work) })
  }
}

export class SiteObject extends SiteHost {
  protected override compose() {
    return composeSite(this.env)
  }
}

export class DownloaderObject extends DownloaderHost {
  protected override compose() {
    return composeDownloader(this.env)
  }
}

export class CatalogueObject extends CatalogueHost {
  protected override compose() {
    return composeCatalogue(this.env, this.ctx.storage.sql)
  }
}

export class ConversationObject extends ConversationHost {
  protected override compose() {
    return composeConversation(this.env, { run: (work) => this.ctx.waitUntil(work) }, askOwnGateway)
  }
}

export class TunnelObject extends TunnelHost {
  protected override compose() {
    return composeTunnel(this.env, { run: (work) => this.ctx.waitUntil(work) }, askOwnGateway)
  }
}

export class ChatObject extends ChatHost {
  protected override compose() {
    return composeChat(this.env, { run: (work) => this.ctx.waitUntil(work) }, askOwnGateway)
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === gatewayPrefix || pathname.startsWith(`${gatewayPrefix}/`))
      return answerToSender(request, await theGateway().fetch(request))
    if (!isAppPath(pathname)) return env.ASSETS.fetch(request)
    const isForMonitors = isOperatingPath(pathname)
    app ??= composeApp(env, { run: keepAlive }, askOwnGateway, gatewayOffice, () => requestMeter.families())
    const answer = Promise.resolve(app.fetch(request))
    return answerToSender(request, await (isForMonitors ? answer : requestMeter.time(classOf(pathname), answer)))
  },
} satisfies ExportedHandler

function classOf(pathname: string): RouteClass {
  if (pathname.startsWith(`${tunnelPrefix}/`)) return 'tunnel'
  return pathname.startsWith(`${consolePrefix}/`) ? 'console' : 'app'
}
