/** Follows a stream of the server for as long as it is wanted, and takes it up where it broke off. Nothing polls. */
import { createFrameReader, type StreamEvent } from './frames.ts'

interface FollowOptions {
  readonly path: string
  /** The id to go on after; undefined where the stream has no past. */
  readonly lastId?: string
  readonly onEvent: (event: StreamEvent) => void
  readonly onState: (state: 'on' | 'lost') => void
  /** The server refused for good: what is known must be read anew. */
  readonly onRefused?: (status: number) => void
}

const firstPauseMs = 250
const longestPauseMs = 5_000
/** Longer than two of the server's heartbeats: a connection this quiet is dead, though nobody said so. */
const quietMsMax = 45_000

/** Resolves after that time, or sooner when trying again may help. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      document.removeEventListener('visibilitychange', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    document.addEventListener('visibilitychange', end)
    signal.addEventListener('abort', end)
  })
}

export function follow(options: FollowOptions): () => void {
  const over = new AbortController()
  let lastId = options.lastId
  let pauseMs = firstPauseMs

  async function once(): Promise<void> {
    const connection = new AbortController()
    const leave = (): void => connection.abort()
    over.signal.addEventListener('abort', leave)
    let quiet: ReturnType<typeof setTimeout> | undefined
    const stillThere = (): void => {
      clearTimeout(quiet)
      quiet = setTimeout(leave, quietMsMax)
    }
    try {
      stillThere()
      const response = await fetch(options.path, {
        signal: connection.signal,
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
      })
      if (!response.ok || response.body === null) {
        if (response.status === 400 || response.status === 401 || response.status === 404) {
          over.abort()
          options.onRefused?.(response.status)
        }
        return
      }
      pauseMs = firstPauseMs
      options.onState('on')
      const read = createFrameReader()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        stillThere()
        for (const frame of read(value)) {
          const event = JSON.parse(frame.data) as StreamEvent
          // Too slow: the connection ends behind this, and the next one goes on after the last id.
          if (event.type === 'server.stream.lagged') return
          if (lastId !== undefined && frame.id !== undefined) lastId = frame.id
          options.onEvent(event)
        }
      }
    } catch {
      // The connection broke off, or nobody answered.
    } finally {
      clearTimeout(quiet)
      over.signal.removeEventListener('abort', leave)
      connection.abort()
    }
  }

  async function keep(): Promise<void> {
    while (!over.signal.aborted) {
      await once()
      if (over.signal.aborted) return
      options.onState('lost')
      await pause(pauseMs, over.signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
  void keep()
  return () => over.abort()
}
