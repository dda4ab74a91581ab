/** What the server tells by itself: a new index, changed sources, and whether anyone still watches. */
import { signal } from '@preact/signals'

export interface LiveState {
  /** `lost` while the browser tries again by itself. */
  readonly stream: 'connecting' | 'open' | 'lost'
  readonly watchesSource: boolean
  readonly watchesIndex: boolean
  /** Why watching stopped for good. */
  readonly degraded: string | undefined
  readonly lastIndexedAt: number | undefined
  readonly hasIndex: boolean
}

export const live = signal<LiveState>({
  stream: 'connecting',
  watchesSource: false,
  watchesIndex: false,
  degraded: undefined,
  lastIndexedAt: undefined,
  hasIndex: true,
})

/** Counts the indexes seen: what was read under an older number is read again, and stays on screen meanwhile. */
export const generation = signal(0)

export interface Drift {
  /** Files said to have changed since they were indexed. */
  readonly files: ReadonlySet<string>
  /** Changed files in all, where more changed than were named. */
  readonly total: number
  /** Changes that could not be told file by file. */
  readonly scan: boolean
}
const noDrift: Drift = { files: new Set(), total: 0, scan: false }
export const drift = signal<Drift>(noDrift)

interface Revision {
  readonly lastIndexedAt: number | null
  readonly files: number
}
let revision: string | undefined

function arrived(index: Revision | null, files: readonly string[] | undefined): void {
  const next = JSON.stringify(index)
  const isFirst = revision === undefined
  if (!isFirst && next !== revision) {
    generation.value += 1
    if (files === undefined) drift.value = noDrift
    else {
      const left = new Set(drift.value.files)
      for (const file of files) left.delete(file)
      drift.value = { files: left, total: left.size, scan: false }
    }
  }
  revision = next
  live.value = {
    ...live.value,
    lastIndexedAt: index?.lastIndexedAt ?? undefined,
    hasIndex: index !== null,
  }
}

let source: EventSource | undefined

function open(): void {
  if (source !== undefined) return
  source = new EventSource('/api/events')
  const on = <T>(name: string, act: (data: T) => void): void => {
    source?.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data) as T))
  }
  on<{ index: Revision | null; watching: { source: boolean; index: boolean }; degraded: string | null }>(
    'hello',
    (hello) => {
      live.value = {
        ...live.value,
        stream: 'open',
        watchesSource: hello.watching.source,
        watchesIndex: hello.watching.index,
        degraded: hello.degraded ?? undefined,
      }
      arrived(hello.index, undefined)
    },
  )
  on<{ files: string[]; total: number; scan: boolean }>('changed', ({ files, total, scan }) => {
    const known = drift.value
    const all = new Set([...known.files, ...files])
    drift.value = { files: all, total: Math.max(all.size, known.total, total), scan: known.scan || scan }
  })
  on<{ index: Revision; files: string[]; truncated: boolean }>('index', ({ index, files, truncated }) =>
    arrived(index, truncated ? undefined : files),
  )
  on<object>('proofs', () => {
    generation.value += 1
  })
  on<{ reason: string }>('degraded', ({ reason }) => {
    live.value = { ...live.value, watchesSource: false, degraded: reason }
  })
  source.addEventListener('error', () => {
    live.value = { ...live.value, stream: 'lost' }
    // A stream that was refused is not tried again by the browser.
    if (source?.readyState === EventSource.CLOSED) close()
  })
}

function close(): void {
  source?.close()
  source = undefined
}

/** Browsers allow six connections to one host: a page nobody looks at gives its own back. */
export function followServer(): void {
  const follow = (): void => {
    if (document.hidden) close()
    else open()
  }
  document.addEventListener('visibilitychange', follow)
  window.addEventListener('focus', follow)
  follow()
}
