/** The Worker script in this process, behind the same gate as in workerd. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { requestIdOf } from '#shared/http/request-id.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { isWithin, type Network, parseIpAddress } from '#shared/network/ip-address.ts'
import { basePathAt } from '../../workers/app/core/base-path.ts'
import { inEnglish } from '../../workers/app/core/reason/english.ts'
import { requestIdCharactersMax } from '../../workers/app/limits.ts'
import type { AnnounceService } from '../../workers/app/ports/feeds.ts'
import type { Gateway } from '../../workers/gateway/compose.ts'
import { readRoutePrefix, readSettings } from '../../workers/gateway/settings.ts'
import { AnnounceListener } from '../announces/announce-listener.ts'
import { socketGraceMs } from '../gateway/limits.ts'
import { nodeListener } from '../gateway/node-listener.ts'
import { nodeParts } from '../gateway/node-parts.ts'
import { asksForSocket, responseSockets } from '../gateway/response-sockets.ts'
import { officeBinding } from '../operating/host-office.ts'
import type { StartFault } from '../operating/start-faults.ts'
import { callerInChain, forwardingHeaders } from '../workerd/forwarded.ts'
import { type HostRule, hasPath, isAllowedHost, publicOriginOf } from '../workerd/host-filter.ts'
import {
  type HostedDatabase,
  type HostedRuntime,
  type OpenedDoor,
  type RuntimeSettings,
  secretsAmong,
} from '../workerd/hosted-runtime.ts'
import { clientConnectionsMax, secretSettingCharactersMin } from '../workerd/limits.ts'
import { faultLine, toLogLine } from '../workerd/log-lines.ts'
import { forwardThroughProxy } from '../workerd/outgoing-proxy.ts'
import { makeCode } from '../workerd/secrets-file.ts'
import { type Assets, serveAssets } from './assets.ts'
import { openRuntime, type Runtime } from './compose.ts'
import type { D1, D1Statement } from './d1.ts'
import { announcesAfterMs } from './limits.ts'
import { type NodeScript, readNodeScript } from './node-script.ts'
import { openRequestDoor, type RequestDoor, toRequest, type Upgrades, writeAnswer } from './request-bridge.ts'
import { scriptFolder } from './script-bundle.ts'

export async function openNodeDoor(port: number): Promise<Result<OpenedDoor, 'busy' | 'forbidden'>> {
  const opened = await openRequestDoor(port, clientConnectionsMax)
  if (!opened.ok) return opened
  const door = opened.value
  return succeed({
    port: door.port,
    alsoListen: (address) => door.alsoListen(address),
    start: (settings) => start(door, settings),
    close: () => door.close(),
  })
}

async function start(door: RequestDoor, settings: RuntimeSettings): Promise<Result<HostedRuntime, StartFault>> {
  const { dataFolder, secrets, variables } = settings
  const read = await readNodeScript(settings.configFile, scriptFolder(dataFolder), settings.log)
  if (!read.ok) return read
  const script = read.value
  const outgoingCode = makeCode()
  const hidden = [outgoingCode, ...Object.values(secrets), ...secretsAmong(variables, secretSettingCharactersMin)]
  const log = (line: string) => settings.log(toLogLine(line, hidden))
  const forward = forwardThroughProxy(outgoingCode, Response)
  const askOffice = officeBinding(settings.office, Response)
  const basedAt = settings.publicUrls.filter(hasPath)
  const assets = script.assets === undefined ? undefined : serveAssets(script.assets.folder, basedAt)
  // A key that the environment sets wins over the one this machine made.
  const texts = { ...script.variables, ...secrets, ...variables }
  const gatewaySettings = readSettings(variables)
  const gatewayParts = gatewaySettings.ok ? nodeParts(gatewaySettings.value) : undefined
  const stateFolder = path.join(dataFolder, 'state')
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  const runtime = openRuntime({
    shape: script.shape,
    stateFolder,
    watch: settings.office.network,
    onDamage: (file) => {
      const problem = settings.office.foundDamaged(file)
      if (problem !== undefined) settings.log(`${inEnglish(problem)}.`)
    },
    bindings: {
      ...texts,
      OUTGOING_CODE: outgoingCode,
      ...(basedAt.length === 0 ? {} : { BASED_AT: basedAt.join(' ') }),
      ...(gatewayParts === undefined ? {} : { GATEWAY_HOST: gatewayParts.parts }),
      OWN_HOST: {
        fetch(address: string, init?: RequestInit) {
          if (new URL(address).pathname !== '/announces') return askOffice(init?.method ?? 'GET', address)
          void listener.refresh()
          return Promise.resolve(Response.json({}))
        },
      },
      OUTGOING: { fetch: (address: string, init: RequestInit) => forward(new Request(address, init)) },
      ...(script.assets === undefined ? {} : { [script.assets.binding]: assets }),
    },
    log,
  })
  // One object for the whole service, as the script names it.
  const service = runtime.objects.get('SCHEDULER')?.getByName('scheduler') as AnnounceCalls | undefined
  const listener = new AnnounceListener({
    service: {
      sources: async () => (await service?.announceSources()) ?? [],
      hear: async (feedId, said) => service?.hearAnnounce(feedId, said),
      state: async (feedId, reason) => service?.announceState(feedId, reason),
    },
    random: Math.random,
    log: (event, facts) => log(JSON.stringify({ time: new Date().toISOString(), level: 'info', event, ...facts })),
  })
  let joining: NodeJS.Timeout | undefined
  const { migrations } = script
  const opened = migrations === undefined ? undefined : runtime.databases.get(migrations.binding)
  const messageBytesMax = gatewaySettings.ok ? gatewaySettings.value.bodyBytesMax : 0
  const serving = new Serving({ runtime, script, assets, basedAt, settings, port: door.port, log, messageBytesMax })
  return succeed({
    database:
      migrations === undefined || opened === undefined
        ? undefined
        : { opened: hostedDatabase(opened), migrationsFolder: migrations.folder },
    // There is nothing apart from this process that could end.
    gaveUp: new Promise<string>(() => undefined),
    async serve() {
      process.on('unhandledRejection', tell)
      await runtime.load(script.load)
      settings.lock.record(undefined, settings.address)
      door.leadTo(serving.listener, serving)
      joining = setTimeout(() => void listener.refresh(), announcesAfterMs).unref()
    },
    async close() {
      clearTimeout(joining)
      listener.close()
      serving.close()
      await runtime.close()
      await gatewayParts?.close()
      process.off('unhandledRejection', tell)
    },
  })

  /** In workerd, too, a promise of the script that nobody waits for is told and ends nothing. */
  function tell(cause: unknown): void {
    log(faultLine('unhandled', cause))
  }
}

/** What the scheduler's object is asked by this host. */
interface AnnounceCalls {
  announceSources(): ReturnType<AnnounceService['sources']>
  hearAnnounce(...given: Parameters<AnnounceService['hear']>): Promise<void>
  announceState(...given: Parameters<AnnounceService['state']>): Promise<void>
}

export function hostedDatabase(database: D1): HostedDatabase {
  return {
    prepare: (sql) => database.prepare(sql),
    batch: (statements) => database.batch(statements as unknown as D1Statement[]),
  }
}

interface ServingOptions {
  readonly runtime: Runtime
  readonly script: NodeScript
  readonly assets: Assets | undefined
  /** Public addresses that have a path. */
  readonly basedAt: readonly string[]
  readonly settings: RuntimeSettings
  readonly port: number
  readonly log: (line: string) => void
  /** Of connections of messages. */
  readonly messageBytesMax: number
}

/** What the gate says of a request: whom it comes from and by which address. */
interface Seen {
  readonly url: URL
  readonly caller: string | undefined
  /** What is left of the target where a proxy has kept the path by which browsers find this service. */
  readonly below: string | undefined
}

class Serving implements Upgrades {
  readonly listener: RequestListener
  readonly #options: ServingOptions
  readonly #rule: HostRule
  readonly #gatewayPrefix: string | undefined
  #gatewayListener: RequestListener | undefined
  readonly #sockets: ReturnType<typeof responseSockets>

  constructor(options: ServingOptions) {
    this.#options = options
    const { settings, script, port, runtime, messageBytesMax } = options
    this.#sockets = responseSockets(
      (request, client) => {
        const { theGateway } = runtime.script<ScriptParts>()
        if (theGateway === undefined) throw new Error('the script has no gateway')
        return theGateway().serve(request, client)
      },
      messageBytesMax,
      (incoming) => this.#callerOf(incoming),
    )
    this.#rule = { port, extraHosts: settings.extraHosts, publicUrls: settings.publicUrls }
    // A script without the pages is not ours and has no gateway.
    const prefix = script.assets === undefined ? undefined : readRoutePrefix(settings.variables, [])
    this.#gatewayPrefix = prefix?.ok === true ? prefix.value : undefined
    this.listener = (incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch((cause: unknown) => {
        options.log(faultLine('request_broke', cause, { request_id: idOf(incoming) }))
        if (outgoing.headersSent) outgoing.destroy()
        else refuse(incoming, outgoing, 500, 'internal', 'Something went wrong in this service')
      })
    }
  }

  /** Only the gateway has such connections; other requests for one are answered as if they asked for none. */
  asks(incoming: IncomingMessage): boolean {
    if (!asksForSocket(incoming)) return false
    const seen = this.#see(incoming)
    const { theGateway } = this.#options.runtime.script<ScriptParts>()
    return seen !== undefined && theGateway !== undefined && isBelow(seen.url.pathname, this.#gatewayPrefix)
  }

  take(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    incoming.url = this.#see(incoming)?.below ?? incoming.url
    this.#sockets.onUpgrade(incoming, socket, head).catch(() => socket.destroy())
  }

  close(): void {
    this.#sockets.close(socketGraceMs)
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const seen = this.#see(incoming)
    if (seen === undefined)
      return refuse(
        incoming,
        outgoing,
        403,
        'forbidden',
        'This Host is not served here; start with --allow-host NAME or --public-url URL to add one',
      )
    const { pathname } = seen.url
    if (seen.below?.startsWith('/') === false) {
      // Addresses on the page are told from the slash that is missing.
      const location = `${basePathAt(seen.url.href, this.#options.basedAt)}/${seen.below}`
      return void outgoing.writeHead(307, { location, 'content-length': 0, 'x-request-id': idOf(incoming) }).end()
    }
    incoming.url = seen.below ?? incoming.url
    const prefix = this.#gatewayPrefix
    const { runtime, assets, script } = this.#options
    // On Node's own messages: a web request and a web answer would cost as much as the routes.
    const { theGateway } = runtime.script<ScriptParts>()
    if (theGateway !== undefined && isBelow(pathname, prefix)) {
      this.#gatewayListener ??= nodeListener(
        (request, client) => theGateway().serve(request, client),
        (asking) => this.#callerOf(asking),
      )
      return this.#gatewayListener(incoming, outgoing)
    }
    const request = toRequest(incoming, outgoing, {
      url: seen.url.href,
      isForeign: (name) => name.startsWith('cf-') || foreignNames.has(name),
      added: {
        'x-request-id': idOf(incoming),
        ...(seen.caller === undefined ? {} : { 'cf-connecting-ip': seen.caller }),
      },
    })
    if (request === undefined)
      return refuse(incoming, outgoing, 405, 'method_not_allowed', 'This method is not served here')
    const isForScript =
      assets === undefined ||
      isBelow(pathname, prefix) ||
      script.pathsBeforeAssets.some((first) => pathname.startsWith(first))
    await writeAnswer(incoming, outgoing, await (isForScript ? runtime.fetch(request) : assets.fetch(request)))
  }

  /**
   * The request as the edge would show it; undefined for a `Host` that is not served. A request to a public name was sent
   * to that name's origin, whatever the way behind it: so much is the owner's word. Who calls, and by which scheme to any
   * other name, is a proxy's word, and only the owner's proxies are heard.
   */
  #see(incoming: IncomingMessage): Seen | undefined {
    const rule = this.#rule
    const host = incoming.headers.host ?? null
    // The request line may carry an authority of its own, which counts for nothing.
    const target = (incoming.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '')
    if (!isAllowedHost(host, rule) || isRepeatedHost(incoming.rawHeaders)) return undefined
    const asked = target.startsWith('/') ? URL.parse(`http://${host}${target}`) : null
    if (asked === null) return undefined
    const publicOrigin = publicOriginOf(host, rule)
    const isFromProxy = this.#isProxy(incoming.socket.remoteAddress ?? '')
    const told = isFromProxy ? incoming.headers['x-forwarded-proto'] : undefined
    const scheme = told === 'https' || told === 'http' ? told : 'http'
    const { pathname, search } = asked
    const origin = publicOrigin ?? `${scheme}://${asked.host}`
    const basePath = basePathAt(origin, this.#options.basedAt)
    const isKept = basePath !== '' && `${pathname}/`.startsWith(`${basePath}/`)
    const below = isKept ? `${pathname.slice(basePath.length)}${search}` : undefined
    return { url: new URL(`${origin}${below ?? `${pathname}${search}`}`), caller: this.#callerOf(incoming), below }
  }

  #callerOf({ socket, headers }: IncomingMessage): string | undefined {
    if (!this.#isProxy(socket.remoteAddress ?? '')) return strangerAt(socket.remoteAddress)
    const chain = headers['x-forwarded-for']
    return callerInChain(typeof chain === 'string' ? chain : null, this.#options.settings.trustedProxies)
  }

  #isProxy(peer: string): boolean {
    const proxies: readonly Network[] = this.#options.settings.trustedProxies
    if (proxies.length === 0) return false
    const address = parseIpAddress(peer)
    return address !== undefined && proxies.some((proxy) => isWithin(address, proxy))
  }
}

/** What the bundle has beside the script. */
interface ScriptParts {
  readonly theGateway?: () => Pick<Gateway, 'serve'>
}

/** Programs of this machine cannot be told apart; who is on the same network can. */
function strangerAt(peer = ''): string | undefined {
  const address = peer.replace(/^::ffff:/, '')
  return address === '' || address === '::1' || address.startsWith('127.') ? undefined : address
}

/** Node keeps the first of several; whoever stood in front may have judged another. */
function isRepeatedHost(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** A setting that cannot be a prefix leaves the gateway where it is, to say so. */
function isBelow(pathname: string, prefix: string | undefined): boolean {
  return prefix !== undefined && !appPaths.some((own) => pathname.startsWith(own)) && pathname.startsWith(`${prefix}/`)
}

/** Where the other family lives, which no setting moves. */
const appPaths = ['/api/app/', '/api/console/', '/api/settings/', '/api/tunnel/', '/api/cookies/']
/** What the script is told of these comes from here alone. */
const foreignNames: ReadonlySet<string> = new Set([...forwardingHeaders, 'x-request-id'])

/**
 * One for each request, wherever it is refused: a client's own where it can be printed, so that its log and ours can be
 * joined, otherwise one that is made here and shown to the script.
 */
function idOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  const id = requestIdOf(typeof sent === 'string' ? sent : undefined, requestIdCharactersMax, randomUUID)
  headers['x-request-id'] = id
  return id
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  status: number,
  error: string,
  message: string,
): void {
  const body = JSON.stringify({ error, message })
  outgoing
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': idOf(incoming),
    })
    .end(body)
}
