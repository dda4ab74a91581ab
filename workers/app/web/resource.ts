/** A list read from the server: kept on screen while it is read again, with the time it is of. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Answer, ApiFailure } from './api/call.ts'

interface Loaded<T> {
  readonly data: T | undefined
  /** The key `data` was read for; another than the present one means that the answer to that is still due. */
  readonly key: string | undefined
  /** When `data` was read, Unix seconds. */
  readonly at: number
  /** Why the last reading failed; `data` is then of an earlier one. */
  readonly failure: ApiFailure | undefined
  readonly busy: boolean
}

export interface Resource<T> {
  readonly state: ReadonlySignal<Loaded<T>>
  readonly reload: () => Promise<void>
  /** Whether what is there is what was asked for last, and not of the key before. */
  readonly isOwn: () => boolean
}

/**
 * Reads when `key` changes and, with `everyMs`, again and again while the page is visible; without a key it waits for one.
 * The newest reading wins: an older answer that comes late is dropped.
 */
export function useResource<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Answer<T>>,
  everyMs?: number,
): Resource<T> {
  const state = useSignal<Loaded<T>>({ data: undefined, key: undefined, at: 0, failure: undefined, busy: true })
  const latest = useRef(load)
  latest.current = load
  const run = useRef<() => Promise<void>>(() => Promise.resolve())

  // Before what is there meanwhile is drawn: the answer is on its way while the browser draws it.
  useLayoutEffect(() => {
    if (key === undefined) return undefined
    let ended = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: AbortController | undefined
    async function read(): Promise<void> {
      clearTimeout(timer)
      current?.abort()
      const mine = new AbortController()
      current = mine
      state.value = { ...state.peek(), busy: true }
      const answer = await latest.current(mine.signal)
      if (ended || current !== mine) return
      state.value = answer.ok
        ? { data: answer.value, key, at: Math.floor(Date.now() / 1000), failure: undefined, busy: false }
        : { ...state.peek(), failure: answer.failure, busy: false }
      if (everyMs !== undefined && !document.hidden) timer = setTimeout(read, everyMs)
    }
    function onVisibility(): void {
      if (document.hidden) clearTimeout(timer)
      else void read()
    }
    run.current = read
    void read()
    if (everyMs !== undefined) document.addEventListener('visibilitychange', onVisibility)
    return () => {
      ended = true
      clearTimeout(timer)
      current?.abort()
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [key, everyMs])

  return { state, reload: () => run.current(), isOwn: () => state.value.key === key }
}
