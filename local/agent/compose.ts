/** Builds the agent server of one process: the only place where its parts meet. */
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { z } from '@hono/zod-openapi'
import type { Clock } from '#shared/kernel/clock.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import { createBuiltPages } from '../pages/built-pages.ts'
import { findSandbox } from './adapters/find-sandbox.ts'
import { openHostProxy } from './adapters/host-proxy.ts'
import { createModelClient } from './adapters/model-client.ts'
import { SqliteFault } from './adapters/node-sqlite.ts'
import { createNoteSender } from './adapters/note-sender.ts'
import { keepGoodCopy, openStorage } from './adapters/open-storage.ts'
import { loadOwnerKey } from './adapters/owner-key.ts'
import { startTerminalProcess } from './adapters/pty-process.ts'
import { listenForReturn } from './adapters/return-listener.ts'
import { joinServers } from './adapters/server-presence.ts'
import { SignInClient } from './adapters/sign-in-client.ts'
import { SignInVault } from './adapters/sign-in-vault.ts'
import { connectToolServer } from './adapters/tool-server.ts'
import { createWebFetch } from './adapters/web-fetch.ts'
import { createWebSearch } from './adapters/web-search.ts'
import { createSocketServer } from './adapters/web-socket.ts'
import { createAgentApp } from './app.ts'
import { decideBind } from './core/bind-address.ts'
import { sayOwnerKeyFault } from './core/owner-key-fault.ts'
import type { JsonObject } from './core/session/message.ts'
import type { BasicCredentials } from './http/basic-credentials.ts'
import { refuseBrokenMessage } from './http/broken-message.ts'
import { BrowserAuth } from './http/browser-auth.ts'
import { guardRequests, type RawListener } from './http/guard.ts'
import { throttleFor } from './http/password-throttle.ts'
import { asksForSocket, serveUpgrades } from './http/upgrade.ts'
import {
  closeDrainMs,
  connectionsLookMs,
  connectionsMax,
  databaseBusyMs,
  databaseBytesMax,
  databaseReserveBytes,
  headerBytesMax,
  headersMsMax,
  keepAliveMs,
  modelAttemptsMax,
  modelQuietMsMax,
  ownCookieSecondsMax,
  requestMsMax,
  scheduleLookMs,
  sqliteVersionMin,
  terminalInputFrameBytesMax,
  toolServerCallMsMax,
  toolServerIdleMs,
  toolServerMessageBytesMax,
  toolServerRetryMs,
  toolServerStartMsMax,
  walBytesMax,
  webFetchBytesMax,
  webFetchMsMax,
  webFetchRedirectsMax,
} from './limits.ts'
import type { AgentDeps, Logger } from './ports.ts'
import { BackgroundCommands } from './runtime/background-commands.ts'
import { DirectoryCatalogue } from './runtime/catalogue.ts'
import type { CodeSenses } from './runtime/code-senses.ts'
import { compactSession } from './runtime/compaction.ts'
import type { ConfigurationPlaces } from './runtime/configuration.ts'
import { ConfiguredServers } from './runtime/configured-servers.ts'
import { EditCare } from './runtime/edit-care.ts'
import { defaultStreamBounds, EventStreams, type StreamBounds } from './runtime/event-streams.ts'
import { HumanRequests } from './runtime/human-requests.ts'
import { createIdentifiers } from './runtime/identifiers.ts'
import { DirectoryLocations } from './runtime/locations.ts'
import { Memories } from './runtime/memories.ts'
import { ModelLists } from './runtime/model-lists.ts'
import { ProjectFiles } from './runtime/project-files.ts'
import { Pruning } from './runtime/pruning.ts'
import { ReferenceCopies } from './runtime/references.ts'
import { Reverts } from './runtime/revert.ts'
import { CommandSandbox } from './runtime/sandbox.ts'
import type { SandboxStatus } from './runtime/sandbox-port.ts'
import { ScheduledPrompts } from './runtime/schedules.ts'
import { SessionStore } from './runtime/session-store.ts'
import { SessionService } from './runtime/sessions.ts'
import { SnapshotStore } from './runtime/snapshot-store.ts'
import { setUpStep } from './runtime/step-setup.ts'
import { PseudoTerminals } from './runtime/terminals.ts'
import { nameSession } from './runtime/titles.ts'
import type { Tool } from './runtime/tool-port.ts'
import { ToolServers } from './runtime/tool-servers.ts'
import { ToolSignIns } from './runtime/tool-sign-ins.ts'
import { backgroundTools } from './runtime/tools/background-tools.ts'
import { fileTools } from './runtime/tools/file-tools.ts'
import { indexTools } from './runtime/tools/index-tools.ts'
import { memoryTools } from './runtime/tools/memory-tools.ts'
import { OutputKeeper } from './runtime/tools/output-keeper.ts'
import { patchTool } from './runtime/tools/patch-tool.ts'
import { searchTools } from './runtime/tools/search-tools.ts'
import { sessionTools } from './runtime/tools/session-tools.ts'
import { shellTool } from './runtime/tools/shell-tool.ts'
import { taskTool } from './runtime/tools/task-tool.ts'
import { ReadReceipts } from './runtime/tools/tool-files.ts'
import { type WebFetch, webTool } from './runtime/tools/web-tool.ts'
import { webSearchTool } from './runtime/tools/websearch-tool.ts'
import { trustListOf } from './runtime/trusted-files.ts'
import { runTurn, settleStep } from './runtime/turn.ts'
import { WaitingNotes } from './runtime/waiting-notes.ts'
import { WorkTrees } from './runtime/work-trees.ts'

/** What the program that starts this has of the other families. */
export interface HostParts {
  /** The index of code, where there is one to ask. */
  readonly codeSenses?: CodeSenses | undefined
  /** What models cost and take, beside what their providers list. */
  readonly prices?: (() => PriceList) | undefined
}

const noPrices: PriceList = { dated: '', source: '', models: new Map() }

export interface AgentServerOptions extends HostParts {
  readonly hostname: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly dataDir: string
  /** Secrets of the program that started this one lie there: the model asks for each file, the routes show none. */
  readonly withheldFolder?: string | undefined
  /** The active directory. */
  readonly directory: string
  readonly version: string
  readonly credentials: BasicCredentials | undefined
  /** A browser signs in by an address that is printed once; only on a loopback address. */
  readonly hasBrowserAuth?: boolean
  readonly places: ConfigurationPlaces
  /** Variables for provider keys, and what shells of the model inherit. The server's own credentials are not in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly resumeAtStart?: boolean
  /** Whether scheduled prompts begin here; not in a command that ends with its own. */
  readonly keepsSchedules?: boolean
  /** Checks the database beside the work, and keeps a copy for the day on which it is damaged. */
  readonly keepsGoodCopy?: boolean
  /** Where the built page lies; without it there is none. */
  readonly pagesFolder?: string | undefined
  readonly clock?: Clock
  readonly logger?: Logger
  readonly resolveHost: (hostname: string) => Promise<readonly string[]>
  readonly streamBounds?: Partial<StreamBounds>
  readonly modelAttemptsMax?: number
  readonly modelQuietMsMax?: number
  readonly languageDiagnoseMsMax?: number
  readonly scheduleLookMs?: number
  readonly toolServerIdleMs?: number
  readonly toolServerRetryMs?: number
  readonly databaseBytesMax?: number
  readonly headersMsMax?: number
  readonly requestMsMax?: number
  readonly keepAliveMs?: number
  readonly modelFetch?: typeof fetch
  readonly webFetch?: WebFetch
  readonly sandbox?: SandboxStatus
}

export interface RunningAgentServer {
  readonly hostname: string
  readonly port: number
  /** `http://host:port`, as a browser takes it. */
  readonly address: string
  /** The address that signs a browser in, once. */
  readonly signInAddress: string | undefined
  /** Whether a turn or a program of a terminal runs. */
  isBusy(): boolean
  close(): Promise<void>
}

/** The server must not start; the message says why and what to do. */
class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

export async function startAgentServer(options: AgentServerOptions): Promise<RunningAgentServer> {
  const protection = {
    hasPassword: options.credentials !== undefined,
    hasBrowserAuth: options.hasBrowserAuth === true,
  }
  const bind = decideBind(options.hostname, await options.resolveHost(options.hostname), protection)
  if (!bind.ok) throw new StartRefused(bind.failure.message)
  const browserAuth = protection.hasBrowserAuth ? createBrowserAuth(options) : undefined
  const parts = composeAgent(options)
  let port = options.port
  const listener = getRequestListener(parts.app.fetch)
  const answer: RawListener = (request, response) => void listener(request, response)
  const throttle = throttleFor(options.credentials?.password, options.clock ?? systemClock)
  const rules = () => ({
    boundHostname: options.hostname,
    port,
    acceptsAnyHost: protection.hasPassword && !protection.hasBrowserAuth,
    credentials: options.credentials,
    browserAuth,
    throttle,
  })
  const guarded = guardRequests(rules, answer)
  const server = createServer(
    {
      // A missing Host is refused by the guard, in the shape of every failure.
      requireHostHeader: false,
      maxHeaderSize: headerBytesMax,
      headersTimeout: options.headersMsMax ?? headersMsMax,
      requestTimeout: options.requestMsMax ?? requestMsMax,
      keepAliveTimeout: options.keepAliveMs ?? keepAliveMs,
      connectionsCheckingInterval: connectionsLookMs,
      shouldUpgradeCallback: asksForSocket,
    },
    guarded,
  )
  server.maxConnections = connectionsMax
  server.on('clientError', refuseBrokenMessage)
  server.on('checkExpectation', guarded)
  const sockets = createSocketServer(terminalInputFrameBytesMax)
  const upgrade = serveUpgrades(parts.app, rules, sockets.accept)
  server.on('upgrade', (request, socket, head) => {
    upgrade(request, socket, head).catch((cause: unknown) => {
      options.logger?.error('upgrade_failed', { cause })
      socket.destroy()
    })
  })
  try {
    await parts.recoverFiles()
    server.listen(options.port, bind.value)
    await once(server, 'listening')
    const bound = server.address() as AddressInfo
    port = bound.port
    // What was decided about a name must hold for what was bound.
    const again = decideBind(options.hostname, [bound.address], protection)
    if (!again.ok) throw new StartRefused(again.failure.message)
  } catch (error) {
    server.close()
    await parts.close()
    throw error
  }
  const hostname = isIP(options.hostname) === 6 ? `[${options.hostname}]` : options.hostname
  const address = `http://${hostname}:${port}`
  parts.listensAt(address)
  parts.start()
  return {
    hostname: options.hostname,
    port,
    address,
    signInAddress: browserAuth?.addressAt(address),
    isBusy: () => parts.isBusy(),
    close: () => {
      sockets.close(closeDrainMs)
      return closeServer(server, parts)
    },
  }
}

export interface AgentRuntime {
  answer(request: Request): Response | Promise<Response>
  close(): Promise<void>
}

/** The same without a listener, for a program that asks for itself: who may is decided by who can start it. */
export async function openRuntime(
  options: Omit<AgentServerOptions, 'hostname' | 'port' | 'credentials' | 'resolveHost' | 'hasBrowserAuth'>,
): Promise<AgentRuntime> {
  const parts = composeAgent(options)
  try {
    await parts.recoverFiles()
  } catch (error) {
    await parts.close()
    throw error
  }
  parts.start()
  return {
    answer: (request) => parts.app.fetch(request, {}),
    async close() {
      parts.endStreams()
      await parts.close()
    },
  }
}

/** For another command of the owner of the data folder, at the server that listens there. */
export function ownCookie(options: Pick<AgentServerOptions, 'dataDir' | 'clock'>, authority: string): string {
  return createBrowserAuth(options).cookieFor(authority, ownCookieSecondsMax)
}

function createBrowserAuth(options: Pick<AgentServerOptions, 'dataDir' | 'clock'>): BrowserAuth {
  const key = loadOwnerKey(path.join(options.dataDir, 'browser-auth'))
  if (!key.ok) throw new StartRefused(sayOwnerKeyFault(key.failure))
  return new BrowserAuth(key.value, options.clock ?? systemClock)
}

const systemClock: Clock = { nowMs: () => Date.now() }

const idleLookMs = 10

/** Streams end first, so that the connections they hold can close; turns end; the database is closed last. */
async function closeServer(server: Server, parts: { endStreams(): void; close(): Promise<void> }): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  parts.endStreams()
  // A connection becomes idle only after its answer has left: until the last one has, look again.
  const idle = setInterval(() => server.closeIdleConnections(), idleLookMs)
  const deadline = setTimeout(() => server.closeAllConnections(), closeDrainMs)
  await parts.close()
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

function composeAgent(options: Parameters<typeof openRuntime>[0] & Pick<AgentServerOptions, 'hasBrowserAuth'>) {
  const clock = options.clock ?? systemClock
  const logger = options.logger ?? { error: () => undefined }
  const ids = createIdentifiers(clock)
  const searchPath = options.environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const databaseFile = path.join(options.dataDir, 'agent.db')
  const storage = openStorage(databaseFile, {
    busyMs: databaseBusyMs,
    bytesMax: options.databaseBytesMax ?? databaseBytesMax,
    reserveBytes: databaseReserveBytes,
    walBytesMax,
    versionMin: sqliteVersionMin,
  })
  const { sql } = storage
  const presence = joinServers(options.dataDir)
  const store = new SessionStore({ sql, clock, ids, version: options.version })
  const streams = new EventStreams(store, ids, { ...defaultStreamBounds, ...options.streamBounds })
  // As tools see them, which follow links.
  const data = realpathSync(options.dataDir)
  const withheld = [data, ...(options.withheldFolder === undefined ? [] : [realpathSync(options.withheldFolder)])]
  const folders = {
    withheld,
    configuration: options.places.userFolder,
    outputs: path.join(data, 'tool-output'),
    copies: path.join(data, 'reference'),
    workTrees: path.join(data, 'work-tree'),
  }
  const catalogue = new DirectoryCatalogue({
    places: { trustList: trustListOf(options.dataDir), environment: options.environment, ...options.places },
    clock,
    environment: options.environment,
    credentialsFile: path.join(options.dataDir, 'credentials.json'),
    copiesFolder: folders.copies,
    lists: new ModelLists(options.modelFetch ?? fetch, clock),
    prices: options.prices ?? (() => noPrices),
    remoteCommands: (servers, directory) => toolServers.commands(servers, directory),
  })
  let pageAddress: string | undefined
  const waitingNotes = new WaitingNotes({
    ...{ store, catalogue, logger },
    send: createNoteSender(options.modelFetch ?? fetch),
    page: () => (options.pagesFolder === undefined ? undefined : pageAddress),
  })
  const asks = new HumanRequests({
    ...{ store, sql, clock, ids },
    onWaiting: (kind, request) => waitingNotes.begin(kind, request),
    wake: (sessionId) => sessionService.wake(sessionId),
  })
  const memories = new Memories({ store, sql, ids, catalogue })
  const keeper = new OutputKeeper(folders.outputs, ids)
  const background = new BackgroundCommands({
    ...{ store, sql, clock, ids, streams, logger },
    environment: options.environment,
  })
  const receipts = new ReadReceipts()
  let sandboxStatus: Promise<SandboxStatus> | undefined
  const sandbox = new CommandSandbox({
    status: () => {
      sandboxStatus ??=
        options.sandbox === undefined ? findSandbox(searchPath, process.platform) : Promise.resolve(options.sandbox)
      return sandboxStatus
    },
    environment: options.environment,
    folder: path.join(data, 'sandbox'),
    withheld: [...withheld, options.places.userFolder],
    shown: [folders.outputs, folders.copies],
    workTrees: folders.workTrees,
    borrowed: (project) => workTrees.borrowedBy(project),
    openProxy: openHostProxy,
  })
  const care = new EditCare({
    ...{ sandbox, searchPath, senses: options.codeSenses },
    diagnoseMsMax: options.languageDiagnoseMsMax,
  })
  const tools: readonly Tool[] = [
    ...fileTools(receipts, keeper, care),
    patchTool(receipts, care),
    taskTool((task) => sessionService.runTask(task)),
    shellTool({ keeper, background, sandbox, environment: options.environment }),
    ...backgroundTools(background, keeper),
    ...searchTools(),
    webTool(
      options.webFetch ??
        createWebFetch({ msMax: webFetchMsMax, bytesMax: webFetchBytesMax, redirectsMax: webFetchRedirectsMax }),
      keeper,
    ),
    webSearchTool(createWebSearch(options.modelFetch ?? fetch), keeper),
    ...sessionTools({
      catalogue,
      onTodos: (sessionID, directory, todos) =>
        streams.notify({ type: 'todo.updated', data: { sessionID, todos }, directory }),
    }),
    ...memoryTools(memories),
    ...(options.codeSenses === undefined ? [] : indexTools(options.codeSenses)),
  ]
  const signInClient = new SignInClient({ vault: new SignInVault(path.join(data, 'sign-ins')) })
  const signIns = new ToolSignIns({
    client: signInClient,
    listen: listenForReturn,
    onChanged: (server) => toolServers.forget(server),
  })
  const toolServers = new ToolServers({
    connect: (configuration, directory, told, name) =>
      connectToolServer(configuration, {
        ...connectionAuth(signInClient, signIns.serverOf(name, configuration)),
        directory,
        environment: options.environment,
        version: options.version,
        startMsMax: toolServerStartMsMax,
        callMsMax: toolServerCallMsMax,
        messageBytesMax: toolServerMessageBytesMax,
        ...told,
      }),
    keeper,
    idleMs: options.toolServerIdleMs ?? toolServerIdleMs,
    retryMs: options.toolServerRetryMs ?? toolServerRetryMs,
    onFault: (server, cause) => logger.error('tool_server_failed', { server, cause }),
    onToolsChanged: (server) => streams.notify({ type: 'mcp.tools.changed', data: { server } }),
  })
  const copies = new ReferenceCopies(searchPath, (repository, cause) =>
    logger.error('reference_failed', { repository, cause }),
  )
  const closing = new AbortController()
  const snapshots = new SnapshotStore(path.join(data, 'snapshot'), searchPath)
  const workTrees = new WorkTrees({
    ...{ sql, clock, logger, snapshots, searchPath, folder: folders.workTrees },
    onGone: (directory) => options.codeSenses?.forget(directory),
    notify: (type, data) => streams.notify({ type, data }),
  })
  const reverts = new Reverts(store, sql, snapshots, (cause) => logger.error('snapshot_failed', { cause }))
  const model = createModelClient(options.modelFetch ?? fetch)
  const schemas = new Map<string, JsonObject>()
  /** Written when a model is first told of the tool: all of them would take a start longer. */
  function schemaOf(tool: Tool): JsonObject {
    const known = tool.parameters ?? schemas.get(tool.name)
    if (known !== undefined) return known
    const written = z.toJSONSchema(tool.input) as JsonObject
    schemas.set(tool.name, written)
    return written
  }
  const setup = (record: Parameters<typeof setUpStep>[1], fallback?: number) =>
    setUpStep(
      {
        catalogue,
        asks,
        memories,
        tools,
        senses: options.codeSenses,
        toolServers,
        context: (sessionId) => store.context(sessionId),
        copies,
        workTrees,
        folders,
        platform: process.platform,
      },
      record,
      fallback,
    )
  const compaction = {
    store,
    ids,
    model,
    notify: (type: string, data: Readonly<Record<string, unknown>>) => streams.notify({ type, data }),
  }
  const sessionService = new SessionService({
    store,
    sql,
    clock,
    ids,
    catalogue,
    streams,
    reverts,
    memories,
    workTrees,
    logger,
    endSessions: (ids) => background.endSessions(ids),
    remotePrompts: toolServers,
    turn: (sessionId, signal) =>
      runTurn(
        {
          store,
          clock,
          ids,
          model,
          asks,
          memories,
          setup,
          onFirstPrompt(record, text) {
            nameSession({ store, catalogue, model, logger }, record, text, closing.signal).catch((cause: unknown) =>
              logger.error('title_failed', { cause }),
            )
          },
          compact: (id, step, stop) => compactSession(compaction, id, step, 'auto', stop),
          beforeEffects: (...step) => reverts.beforeEffects(...step),
          afterEffects: (...step) => reverts.afterEffects(...step),
          progress: ({ id, location }, { messageId, callId }, output) =>
            streams.notify({
              type: 'session.tool.progress',
              data: { sessionID: id, assistantMessageID: messageId, callID: callId, output },
              directory: location.directory,
            }),
          toolSchema: schemaOf,
          attemptsMax: options.modelAttemptsMax ?? modelAttemptsMax,
          quietMsMax: options.modelQuietMsMax ?? modelQuietMsMax,
          delay: async (ms, stop) => {
            await sleep(ms, undefined, { signal: stop })
          },
        },
        sessionId,
        signal,
      ),
    compact: async (sessionId, signal) => {
      const record = store.find(sessionId)
      if (record === undefined) return false
      return compactSession(compaction, sessionId, await setup(record), 'manual', signal)
    },
  })
  if (storage.isReadOnly) logger.error('storage_read_only', { problem: storage.problem() })
  const mayRecover = presence.isAlone && !storage.isReadOnly
  if (mayRecover) {
    recoverSteps(store, asks)
    background.recover()
    snapshots.recover()
  }
  const goodCopy =
    mayRecover && options.keepsGoodCopy === true ? keepGoodCopy(databaseFile, clock.nowMs(), logger) : undefined
  const locations = new DirectoryLocations(options.directory, searchPath)
  const schedules = new ScheduledPrompts({
    ...{ sql, clock, ids, locations, logger },
    sessions: sessionService,
    notify: (type, data) => streams.notify({ type, data }),
    lookMs: options.scheduleLookMs ?? scheduleLookMs,
  })
  const terminals = new PseudoTerminals({
    start: startTerminalProcess,
    locations,
    ids,
    clock,
    logger,
    notify: (event) => streams.notify(event),
    environment: options.environment,
  })
  const prunes = new Pruning({
    store,
    sql,
    clock,
    logger,
    streams,
    snapshots,
    workTrees,
    outputsFolder: folders.outputs,
    active: () => sessionService.active(),
    endSessions: (ids) => background.endSessions(ids),
  })
  const deps: AgentDeps = {
    version: options.version,
    hasBrowserAuth: options.hasBrowserAuth === true,
    clock,
    logger,
    locations,
    files: new ProjectFiles(withheld, folders.workTrees),
    sessions: sessionService,
    asks,
    streams,
    catalogue,
    terminals,
    background,
    schedules,
    toolServers: new ConfiguredServers({ catalogue, servers: toolServers, signIns }),
    prunes,
    workTrees,
    storageProblem: storage.problem,
    pages: options.pagesFolder === undefined ? undefined : createBuiltPages(options.pagesFolder),
    faultOf: (cause) => {
      if (cause instanceof SqliteFault) return { code: 'database_error', message: storage.reasonOf(cause) }
      return isFileError(cause) ? { code: 'filesystem_error' } : undefined
    },
  }
  return {
    app: createAgentApp(deps),
    async recoverFiles() {
      if (!mayRecover) return
      await sandbox.clear()
      await reverts.recover()
      await workTrees.recover()
      await prunes.recover()
    },
    /** What was accepted to be driven goes on after a restart, unless the owner turned that off. */
    start() {
      setImmediate(model.warm)
      if (options.keepsSchedules !== false && !storage.isReadOnly) schedules.start()
      if (options.resumeAtStart === false || !mayRecover) return
      for (const sessionId of store.sessionsToDrive()) sessionService.wake(sessionId)
    },
    /** Where it listens. */
    listensAt(address: string) {
      pageAddress = address
    },
    isBusy: () => sessionService.active().length > 0 || terminals.isBusy || background.isBusy || schedules.isWaiting,
    endStreams: () => streams.close(),
    async close() {
      asks.close()
      closing.abort()
      await schedules.close()
      await Promise.all([sessionService.close(), terminals.close(), prunes.close()])
      // After the turns: none begins another one.
      await Promise.all([background.close(), care.close()])
      // An interrupted turn does not wait for them, so they may outlive all turns.
      await snapshots.close()
      signIns.close()
      toolServers.close()
      await copies.close()
      await goodCopy?.end()
      sql.close()
      presence.leave()
    },
  }
}

/** The sign-in of a server that takes one; elsewhere there is none to be renewed. */
function connectionAuth(client: SignInClient, server: ReturnType<ToolSignIns['serverOf']>) {
  if (!server.ok) return {}
  return {
    auth: client.authFor(server.value),
    onWanted: (scope: string | undefined) => client.noteWanted(server.value, scope),
  }
}

/**
 * Steps that a crash left open are ended: what ran is uncertain, and is never run again. Beside another server of the
 * same folder nobody can tell them from steps that run, so they wait for a start that is alone.
 */
function recoverSteps(store: SessionStore, asks: HumanRequests): void {
  for (const { sessionId, messageId } of store.openSteps()) {
    settleStep(
      { store },
      sessionId,
      messageId,
      { type: 'unknown', message: 'The server stopped during this step', reason: 'interrupted' },
      { waitingCalls: asks.waitingCalls(sessionId) },
    )
  }
}

function isFileError(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && 'code' in cause && typeof cause.code === 'string'
}
