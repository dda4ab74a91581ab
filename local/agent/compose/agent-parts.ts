/** Builds the agent of one process: where its parts meet. */
import path from 'node:path'
import type { PriceList } from '#shared/models/price-list.ts'
import { createBuiltPages } from '../../pages/built-pages.ts'
import { SqliteFault } from '../adapters/node-sqlite.ts'
import { createNoteSender } from '../adapters/note-sender.ts'
import { keepGoodCopy } from '../adapters/open-storage.ts'
import { startTerminalProcess } from '../adapters/pty-process.ts'
import { createAgentApp } from '../app.ts'
import { sayRefusal } from '../core/refusal.ts'
import { scheduleLookMs } from '../limits.ts'
import type { AgentDeps } from '../ports.ts'
import { DirectoryCatalogue } from '../runtime/catalogue.ts'
import { ConfiguredServers } from '../runtime/configured-servers.ts'
import { HumanRequests } from '../runtime/human-requests.ts'
import { DirectoryLocations } from '../runtime/locations.ts'
import { inLaterPass } from '../runtime/loop-share.ts'
import { Memories } from '../runtime/memories.ts'
import { ModelLists } from '../runtime/model-lists.ts'
import { ProjectFiles } from '../runtime/project-files.ts'
import { Pruning } from '../runtime/pruning.ts'
import { ReferenceCopies } from '../runtime/references.ts'
import { Reverts } from '../runtime/revert.ts'
import { SandboxStates } from '../runtime/sandbox-state.ts'
import { ScheduledPrompts } from '../runtime/schedules.ts'
import type { SessionStore } from '../runtime/session-store.ts'
import { SessionService } from '../runtime/sessions.ts'
import { settleStep } from '../runtime/settle-step.ts'
import { SnapshotStore } from '../runtime/snapshot-store.ts'
import { PseudoTerminals } from '../runtime/terminals.ts'
import { trustListOf } from '../runtime/trusted-files.ts'
import { WaitingCalls } from '../runtime/waiting-calls.ts'
import { WaitingNotes } from '../runtime/waiting-notes.ts'
import { WorkTrees } from '../runtime/work-trees.ts'
import { openGround } from './ground.ts'
import type { AgentOptions, AgentServerOptions } from './options.ts'
import { composeToolset } from './toolset.ts'
import { turnPieces } from './turn-pieces.ts'

const noPrices: PriceList = { dated: '', source: '', models: new Map() }

export function composeAgent(options: AgentOptions & Pick<AgentServerOptions, 'hasBrowserAuth'>) {
  const ground = openGround(options)
  const { clock, logger, ids, searchPath, storage, sql, presence, store, streams, data, withheld, folders } = ground
  const catalogue = new DirectoryCatalogue({
    places: { trustList: trustListOf(options.dataDir), environment: options.environment, ...options.places },
    clock,
    environment: options.environment,
    credentialsFile: path.join(options.dataDir, 'credentials.json'),
    copiesFolder: folders.copies,
    lists: new ModelLists(options.modelFetch ?? fetch, clock),
    prices: options.prices ?? (async () => noPrices),
    remoteCommands: (servers, directory) => toolset.toolServers.commands(servers, directory),
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
  const waitingCalls = new WaitingCalls(({ id, location: { directory } }, assistantMessageID, callIDs) =>
    streams.notify({ type: 'session.tool.waiting', data: { sessionID: id, assistantMessageID, callIDs }, directory }),
  )
  const toolset = composeToolset(options, ground, workTrees)
  const { background, sandbox, care, toolServers, signIns } = toolset
  /** What only a turn needs is loaded once the server listens, or with the first turn. */
  let loadedTurns: ReturnType<typeof loadTurns> | undefined
  const turns = () => {
    loadedTurns ??= loadTurns()
    return loadedTurns
  }
  async function loadTurns() {
    for (const load of turnPieces) {
      await load()
      await inLaterPass()
    }
    const { composeTurns } = await import('./turns.ts')
    await inLaterPass()
    return composeTurns(options, ground, {
      ...{ catalogue, asks, memories, toolset, copies, workTrees, reverts, waitingCalls },
      runTask: (task) => sessionService.runTask(task),
      closing: closing.signal,
    })
  }
  const endSessions = (ids: readonly string[]) => {
    sandbox.endSessions(ids)
    return background.endSessions(ids)
  }
  const sessionService: SessionService = new SessionService({
    store,
    sql,
    clock,
    ids,
    catalogue,
    streams,
    reverts,
    memories,
    waitingCalls,
    workTrees,
    logger,
    endSessions,
    remotePrompts: toolServers,
    turn: async (...session) => (await turns()).turn(...session),
    compact: async (...session) => (await turns()).compact(...session),
  })
  const problem = storage.isReadOnly ? storage.problem() : undefined
  if (problem !== undefined) logger.error('storage_read_only', { problem: sayRefusal(problem) })
  if (storage.loss !== undefined) logger.error('storage_journal_cut', { problem: storage.loss })
  const mayRecover = presence.isAlone && !storage.isReadOnly
  if (mayRecover) {
    recoverSteps(store, asks)
    background.recover()
    snapshots.recover()
  }
  const goodCopy =
    mayRecover && options.goodCopyAfterMs !== undefined
      ? keepGoodCopy(ground.databaseFile, clock.nowMs(), logger, options.goodCopyAfterMs)
      : undefined
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
    endSessions,
  })
  const deps: AgentDeps = {
    version: options.version,
    hasBrowserAuth: options.hasBrowserAuth === true,
    clock,
    logger,
    locations,
    files: new ProjectFiles(withheld, folders.workTrees, searchPath),
    sessions: sessionService,
    asks,
    streams,
    catalogue,
    terminals,
    background,
    schedules,
    toolServers: new ConfiguredServers({ catalogue, servers: toolServers, signIns }),
    prunes,
    sandboxes: new SandboxStates({ catalogue, asks, sandbox }),
    memory: memories,
    workTrees,
    settle: () => store.settling.settle(),
    storageProblem: storage.problem,
    pages: options.pagesFolder === undefined ? undefined : createBuiltPages(options.pagesFolder),
    faultOf: (cause) => {
      if (cause instanceof SqliteFault) return { code: 'database_error', why: storage.reasonOf(cause) }
      return isFileError(cause) ? { code: 'filesystem_error' } : undefined
    },
  }
  const app = createAgentApp(deps)
  /** What the first of those who come would wait for, and everybody with him: each a pass of the loop. */
  async function warm() {
    await inLaterPass()
    app.router.match('GET', '/')
    await inLaterPass()
    await (await turns()).warm()
    // What asks a provider is compiled by the first request, whom it asks; so is what answers one.
    if (pageAddress !== undefined && options.modelFetch === undefined) {
      await inLaterPass()
      await fetch(`${pageAddress}/health`).then((answer) => answer.text())
    }
    // A program that serves itself is gone before it is of use.
    while (pageAddress !== undefined && !storage.isReadOnly && sql.lengthenJournal()) await inLaterPass()
  }
  return {
    app,
    async recoverFiles() {
      if (!mayRecover) return
      await sandbox.clear()
      await reverts.recover()
      await workTrees.recover()
      await prunes.recover()
    },
    /** What was accepted to be driven goes on after a restart, unless the owner turned that off. */
    start() {
      if (options.keepsSchedules !== false && !storage.isReadOnly) schedules.start()
      if (options.resumeAtStart !== false && mayRecover)
        for (const sessionId of store.sessionsToDrive()) sessionService.wake(sessionId)
      // What cannot be loaded is reported by the turn that needs it.
      warm().catch(() => undefined)
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
      sandbox.close()
      await Promise.all([background.close(), care.close()])
      // An interrupted turn does not wait for them, so they may outlive all turns.
      await snapshots.close()
      signIns.close()
      toolServers.close()
      await copies.close()
      await goodCopy?.end()
      store.settling.settleQuietly()
      sql.close()
      presence.leave()
    },
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
