/** The Worker script: picks the family by path prefix and hands the request over whole. The only reader of `env`. */
import { env, waitUntil } from 'cloudflare:workers'
import { composeCatalogue, composeDownloader, composeScheduler, composeSite } from './app/compose/objects.ts'
import { composeApp, composeConversation, composeTunnel } from './app/compose.ts'
import { CatalogueHost } from './app/objects/catalogue-object.ts'
import { ConversationHost } from './app/objects/conversation-object.ts'
import { DownloaderHost } from './app/objects/downloader-object.ts'
import { SchedulerHost } from './app/objects/scheduler-object.ts'
import { SiteHost } from './app/objects/site-object.ts'
import { TunnelHost } from './app/objects/tunnel-object.ts'
import type { GatewayOffice } from './app/ports.ts'
import { outgoingBy } from './gateway/adapters/edge-platform.ts'
import { objectBook } from './gateway/adapters/object-book.ts'
import { composeGateway, textsOf } from './gateway/compose.ts'
import embeddings from './gateway/config/embeddings.toml'
import models from './gateway/config/models.toml'
import prices from './gateway/config/prices.toml'
import { defaultRoutePrefix, readRoutePrefix } from './gateway/settings.ts'
import { answerToSender } from './unread-body.ts'

export { GatewayKeyObject } from './gateway/objects/gateway-key-object.ts'

/** Where the other family lives: the gateway's routes may lie neither there nor around it. */
const reservedPrefixes = ['/api/app', '/api/console', '/api/tunnel']

// The gateway is given settings only: texts, and of those not the other family's secrets.
const {
  MASTER_KEY: _,
  SETUP_CODE: __,
  OUTGOING_CODE: ___,
  PUBLIC_NETWORK: publicNetwork,
  ASSETS: assets,
  GATEWAY_KEYS: gatewayKeys,
  ...bindings
} = env
const gatewaySettings = textsOf(bindings)
const wantedPrefix = readRoutePrefix(gatewaySettings, reservedPrefixes)
const gatewayPrefix = wantedPrefix.ok ? wantedPrefix.value : defaultRoutePrefix
const keepAlive = (work: Promise<unknown>) => waitUntil(work)

// Each is built once an isolate, on the first request it serves.
let app: ReturnType<typeof composeApp> | undefined
let gateway: ReturnType<typeof composeGateway> | undefined

function theGateway(): ReturnType<typeof composeGateway> {
  gateway ??= composeGateway(gatewaySettings, {
    registries: { models, embeddings, prices },
    keyBook: objectBook(gatewayKeys),
    keepAlive,
    reservedPrefixes,
    ...(publicNetwork === undefined
      ? {}
      : { outgoingToStrangers: outgoingBy((url, init) => publicNetwork.fetch(url, init)) }),
  })
  return gateway
}

/** The assistant is one more client of the gateway, with its key, but without a way over the network. */
function askOwnGateway(body: string, signal: AbortSignal): Promise<Response> | undefined {
  const key = gatewaySettings['API_KEY']
  if (key === undefined) return undefined
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = `http://gateway.invalid${gatewayPrefix}/chat/completions`
  return theGateway().fetch(new Request(address, { method: 'POST', headers, body, signal }))
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
    return composeScheduler(this.env)
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

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === gatewayPrefix || pathname.startsWith(`${gatewayPrefix}/`))
      return answerToSender(request, await theGateway().fetch(request))
    if (!pathname.startsWith('/api/')) return assets.fetch(request)
    app ??= composeApp(env, { run: keepAlive }, askOwnGateway, gatewayOffice)
    return answerToSender(request, await app.fetch(request))
  },
} satisfies ExportedHandler
