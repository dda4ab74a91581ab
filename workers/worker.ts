/** The Worker script: picks the family by path prefix and hands the request over whole. The only reader of `env`. */
import { env, waitUntil } from 'cloudflare:workers'
import { composeApp } from './app/compose.ts'
import { outgoingBy } from './gateway/adapters/edge-platform.ts'
import { composeGateway, textsOf } from './gateway/compose.ts'
import embeddings from './gateway/config/embeddings.toml'
import models from './gateway/config/models.toml'
import { defaultRoutePrefix, readRoutePrefix } from './gateway/settings.ts'
import { answerToSender } from './unread-body.ts'

export { CatalogueObject } from './app/objects/catalogue-object.ts'
export { DownloaderObject } from './app/objects/downloader-object.ts'
export { SchedulerObject } from './app/objects/scheduler-object.ts'
export { SiteObject } from './app/objects/site-object.ts'

/** Where the other family lives: the gateway's routes may lie neither there nor around it. */
const reservedPrefixes = ['/api/app', '/api/console']

// The gateway is given settings only: texts, and of those not the other family's secrets.
const {
  MASTER_KEY: _,
  SETUP_CODE: __,
  OUTGOING_CODE: ___,
  PUBLIC_NETWORK: publicNetwork,
  ASSETS: assets,
  ...bindings
} = env
const gatewaySettings = textsOf(bindings)
const wantedPrefix = readRoutePrefix(gatewaySettings, reservedPrefixes)
const gatewayPrefix = wantedPrefix.ok ? wantedPrefix.value : defaultRoutePrefix
const keepAlive = (work: Promise<unknown>) => waitUntil(work)

// Each is built once an isolate, on the first request it serves.
let app: ReturnType<typeof composeApp> | undefined
let gateway: ReturnType<typeof composeGateway> | undefined

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === gatewayPrefix || pathname.startsWith(`${gatewayPrefix}/`)) {
      gateway ??= composeGateway(gatewaySettings, {
        registries: { models, embeddings },
        keepAlive,
        reservedPrefixes,
        ...(publicNetwork === undefined
          ? {}
          : { outgoingToStrangers: outgoingBy((url, init) => publicNetwork.fetch(url, init)) }),
      })
      return answerToSender(request, await gateway.fetch(request))
    }
    if (!pathname.startsWith('/api/')) return assets.fetch(request)
    app ??= composeApp(env, { run: keepAlive })
    return answerToSender(request, await app.fetch(request))
  },
} satisfies ExportedHandler
