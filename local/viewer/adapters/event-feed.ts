/** The live channel: observers exist only while someone listens, and nothing polls. */
import type { Clock } from '#shared/kernel/clock.ts'
import { eventFilesMax, heartbeatMs, retryMs, subscribersMax } from '../limits.ts'
import type { EventFeed, IndexAccess } from '../ports.ts'

interface IndexRevision {
  readonly lastIndexedAt: number | null
  readonly files: number
}

export interface Watch {
  close(): void
}

export interface SourceChange {
  readonly files: readonly string[]
  readonly total: number
  readonly scan: boolean
}

export interface FeedParts {
  readonly clock: Clock
  readonly index: IndexAccess
  /** Starts watching the source; undefined when a setting turned it off or it could not start. */
  readonly watchSource: (
    onChange: (change: SourceChange) => void,
    onDegraded: (reason: string) => void,
  ) => Watch | undefined
  readonly watchIndex: (onSettled: () => void) => Watch | undefined
  /** Somebody follows, or there is another index. */
  readonly onIndexSeen?: () => void
}

interface Subscriber {
  readonly send: (frame: string) => void
  readonly end: () => void
}

function readRevision(index: IndexAccess): IndexRevision | null {
  const found = index.use(({ reader: { figures } }) => ({
    lastIndexedAt: figures.lastIndexedAt,
    files: figures.files,
  }))
  return found.ok ? found.value : null
}

export function createEventFeed(parts: FeedParts): EventFeed {
  const subscribers = new Set<Subscriber>()
  let source: Watch | undefined
  let indexWatch: Watch | undefined
  let revision: IndexRevision | null = null
  let degraded: string | null = null
  let heartbeat: ReturnType<typeof setInterval> | undefined
  const frame = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data, at: parts.clock.nowMs() })}\n\n`
  const broadcast = (text: string): void => {
    for (const one of subscribers) one.send(text)
  }
  const onIndexSettled = (): void => {
    const next = readRevision(parts.index)
    if (
      next === null ||
      (revision !== null && next.lastIndexedAt === revision.lastIndexedAt && next.files === revision.files)
    ) {
      if (next === null) revision = null
      return
    }
    const since = revision?.lastIndexedAt ?? 0
    revision = next
    parts.onIndexSeen?.()
    const changed = parts.index.use(({ reader }) =>
      reader
        .files()
        .filter((file) => file.indexedMs > since)
        .map((file) => file.path),
    )
    const files = changed.ok ? changed.value : []
    broadcast(
      frame('index', {
        index: next,
        files: files.slice(0, eventFilesMax),
        total: files.length,
        truncated: files.length > eventFilesMax,
      }),
    )
  }
  const start = (): void => {
    revision = readRevision(parts.index)
    // A watch that failed is lost for good: who comes later is told so, and nothing tries again behind their back.
    source = degraded === null ? watchSource() : undefined
    indexWatch = parts.watchIndex(onIndexSettled)
    heartbeat = setInterval(() => broadcast(': ping\n\n'), heartbeatMs)
  }
  const watchSource = (): Watch | undefined => {
    let isLost = false
    const started = parts.watchSource(
      (change) => {
        const files = change.files.slice(0, eventFilesMax)
        broadcast(
          frame('changed', { files, total: change.total, truncated: change.total > files.length, scan: change.scan }),
        )
      },
      (reason) => {
        degraded = reason
        isLost = true
        source?.close()
        source = undefined
        broadcast(frame('degraded', { reason }))
      },
    )
    return isLost ? undefined : started
  }
  const stop = (): void => {
    source?.close()
    indexWatch?.close()
    clearInterval(heartbeat)
    source = undefined
    indexWatch = undefined
  }
  return {
    subscribe(send, end) {
      if (subscribers.size >= subscribersMax) {
        // The newest tab is the one in use: the oldest is told that it no longer follows.
        const [oldest] = subscribers
        if (oldest !== undefined) {
          oldest.send(frame('degraded', { reason: 'too many tabs follow this viewer' }))
          subscribers.delete(oldest)
          oldest.end()
        }
      }
      const subscriber: Subscriber = { send, end }
      if (subscribers.size === 0) start()
      subscribers.add(subscriber)
      revision = readRevision(parts.index)
      parts.onIndexSeen?.()
      send(`retry: ${retryMs}\n\n`)
      send(
        frame('hello', {
          index: revision,
          watching: { source: source !== undefined, index: indexWatch !== undefined },
          degraded,
          heartbeatMs,
        }),
      )
      return {
        close() {
          if (subscribers.delete(subscriber) && subscribers.size === 0) stop()
        },
      }
    },
    tellProofs() {
      broadcast(frame('proofs', {}))
    },
    endAll() {
      for (const one of [...subscribers]) {
        subscribers.delete(one)
        one.end()
      }
      stop()
    },
    get isWatching() {
      return source !== undefined
    },
    get degraded() {
      return degraded
    },
  }
}
