/** The one gateway of this script, with the settings that are for it. */
import { env, waitUntil } from 'cloudflare:workers'
import { outgoingBy } from './gateway/adapters/edge-platform.ts'
import { edgeSocket } from './gateway/adapters/edge-sockets.ts'
import { objectKeyStore } from './gateway/adapters/object-key-store.ts'
import { objectResponseStore } from './gateway/adapters/object-response-store.ts'
import { objectRouteStore } from './gateway/adapters/object-route-store.ts'
import { composeGateway, type Gateway, textsOf } from './gateway/compose.ts'
import embeddings from './gateway/config/embeddings.toml'
import models from './gateway/config/models.toml'
import prices from './gateway/config/prices.toml'
import { defaultRoutePrefix, readRoutePrefix } from './gateway/settings.ts'
import { RequestMeter } from './request-meter.ts'

/** Where the other family lives: the gateway's routes may lie neither there nor around it. */
const reservedPrefixes = ['/api/app', '/api/console', '/api/settings', '/api/tunnel', '/api/cookies']

// The gateway is given settings only: texts, and of those not the other family's secrets.
const {
  MASTER_KEY: _,
  SETUP_CODE: __,
  OUTGOING_CODE: ___,
  PUBLIC_NETWORK: publicNetwork,
  SITE_NETWORK: ____,
  GATEWAY_HOST: host,
  ASSETS: _____,
  OWN_HOST: ______,
  GATEWAY_KEYS: gatewayKeys,
  GATEWAY_RESPONSES: gatewayResponses,
  GATEWAY_ROUTES: gatewayRoutes,
  ...bindings
} = env
export const gatewaySettings = textsOf(bindings)
const wantedPrefix = readRoutePrefix(gatewaySettings, reservedPrefixes)
export const gatewayPrefix = wantedPrefix.ok ? wantedPrefix.value : defaultRoutePrefix

/** Of everything that this script serves. */
export const requestMeter = new RequestMeter()

// Built once an isolate, for the first request.
let gateway: Gateway | undefined

export function theGateway(): Gateway {
  gateway ??= metered(
    composeGateway(gatewaySettings, {
      registries: { models, embeddings, prices },
      keyStore: objectKeyStore(gatewayKeys),
      responseStore: objectResponseStore(gatewayResponses),
      routeStore: objectRouteStore(gatewayRoutes),
      keepAlive: (work) => waitUntil(work),
      reservedPrefixes,
      openSocket: edgeSocket,
      ...(publicNetwork === undefined
        ? {}
        : { outgoingToStrangers: outgoingBy((url, init) => publicNetwork.fetch(url, init)) }),
      ...host,
    }),
  )
  return gateway
}

/** What the owner asks through the console is counted there. */
function metered(of: Gateway): Gateway {
  return {
    ...of,
    fetch: (request) => requestMeter.time('gateway', of.fetch(request)),
    serve: (request, client) => requestMeter.time('gateway', of.serve(request, client)),
  }
}
