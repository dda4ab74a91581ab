/** The conversation that is shown, followed for as long as it is. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { readConversation, waitForEvents } from './api/assistant.ts'
import { type Following, followConversation } from './follow-conversation.ts'

/** Resolves when `begin` calls back, and at the latest when it is over. */
function until(signal: AbortSignal, begin: (go: () => void) => () => void): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = begin(resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(end)
}

function untilSeen(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return until(signal, (go) => {
    document.addEventListener('visibilitychange', go)
    return () => document.removeEventListener('visibilitychange', go)
  })
}

export function useConversation(id: string): { state: ReadonlySignal<Following>; tryNow: () => void } {
  const state = useSignal<Following>({ transcript: undefined, failure: undefined })
  const goOn = useRef<() => void>(() => undefined)
  useEffect(() => {
    const end = new AbortController()
    void followConversation(
      {
        read: (signal) => readConversation(id, signal),
        events: (after, signal) => waitForEvents(id, after, signal),
        untilSeen,
        pause: (ms, signal) =>
          until(signal, (go) => {
            const timer = setTimeout(go, ms)
            goOn.current = go
            addEventListener('online', go)
            return () => {
              clearTimeout(timer)
              removeEventListener('online', go)
            }
          }),
        nowMs: () => performance.now(),
      },
      (following) => {
        state.value = following
      },
      end.signal,
    )
    return () => end.abort()
  }, [id, state])
  return { state, tryNow: () => goOn.current() }
}
