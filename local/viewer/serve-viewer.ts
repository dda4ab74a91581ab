/** Serves the viewer on the loopback address, and nowhere else. */
import { once } from 'node:events'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { installationRoot } from '../../bin/installation.mjs'
import type { ProofBounds } from '../indexer/prove/watch-proof.ts'
import type { CheckedIndexes } from '../indexer/store/checked-indexes.ts'
import type { IndexPlace } from '../indexer/store/index-folder.ts'
import { closeServer, listenOnLoopback, loopbackHost, type PortFault } from '../listen/loopback-port.ts'
import { createViewer } from './app.ts'
import { composeViewer } from './compose.ts'
import { guardedListener, guardedServer } from './http/guarded-listener.ts'
import { connectionsMax, defaultPort, portsTriedAfterDefault } from './limits.ts'
import type { ViewerDeps } from './ports.ts'

export interface ViewerStart {
  readonly place: IndexPlace
  /** A port that was asked for never moves; without one the default does, when it is taken. */
  readonly port: number | undefined
  /** Listens there instead, for a program of ours that holds the port and hands on what it let in. */
  readonly socketPath?: string
  readonly isReadOnly: boolean
  readonly isWatchWanted: boolean
  /** Has the compiler judge the index in the background, within bounds of its own where they are given. */
  readonly proof?: Partial<ProofBounds> | undefined
  /** Indexes that earlier starts found whole; without them each start checks anew. */
  readonly checked?: CheckedIndexes | undefined
  readonly report: (message: string) => void
}

export interface RunningViewer {
  readonly address: string
  readonly port: number
  /** Reads the index, which most answers need, while whoever was told the address connects. */
  readAhead(): void
  /** Loads what the first answers do not need but later ones will. */
  loadAhead(): Promise<void>
  close(): Promise<void>
}

const drainMs = 3_000

export async function startViewer(start: ViewerStart): Promise<Result<RunningViewer, PortFault>> {
  const deps = composeViewer({
    place: start.place,
    isReadOnly: start.isReadOnly,
    isWatchWanted: start.isWatchWanted,
    proof: start.proof,
    checked: start.checked,
    pagesFolder: path.join(installationRoot, 'dist', 'web', 'viewer'),
    clock: { nowMs: () => Date.now() },
    report: start.report,
  })
  const viewer = createViewer(deps)
  let boundPort = 0
  const listener = guardedListener(
    getRequestListener(viewer.app.fetch, { overrideGlobalObjects: false }),
    () => boundPort,
  )
  const server = guardedServer(listener, connectionsMax)
  const running = (port: number): RunningViewer => {
    boundPort = port
    return {
      address: `http://${loopbackHost}:${port}`,
      port,
      readAhead: () => readAhead(deps),
      loadAhead: async () => {
        await viewer.loadRoutes()
        await loadAhead(deps)
        deps.background?.look()
      },
      close: async () => {
        deps.background?.close()
        // Streams first: a server does not drain while they are open.
        deps.events.endAll()
        await closeServer(server, drainMs)
      },
    }
  }
  if (start.socketPath !== undefined) {
    server.listen(start.socketPath)
    await once(server, 'listening')
    return succeed(running(start.port ?? defaultPort))
  }
  const wish = { port: start.port ?? defaultPort, isPortAsked: start.port !== undefined }
  const taken = await listenOnLoopback(server, wish, portsTriedAfterDefault)
  return taken.ok ? succeed(running(taken.value)) : taken
}

function readAhead({ index, report }: ViewerDeps): void {
  try {
    index.use(({ reader }) => reader.graph)
  } catch (error) {
    report(String(error))
  }
}

async function loadAhead({ index, syntax, trails }: ViewerDeps): Promise<void> {
  await trails()
  const counts = index.use(({ reader }) => reader.figures.filesByLanguage)
  const [most] = counts.ok ? Object.entries(counts.value).sort((left, right) => right[1] - left[1]) : []
  if (most !== undefined) await syntax.of(most[0], undefined, '')
}
