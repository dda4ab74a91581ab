/** What a view reads when it is opened, and again when what it depends on changes, an event tells that it did, or somebody asks. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Reloaded } from '#shared/pages/use-actions.ts'
import type { Answer, ApiFailure } from '../api/ask.ts'
import type { StreamEvent } from '../api/frames.ts'
import { onEvent } from './live.ts'

export interface Reading<T> extends Reloaded {
  readonly value: Signal<T | undefined>
  readonly failure: Signal<ApiFailure | undefined>
}

/** `ask` answers undefined while what it needs is not known yet. `isTold`: of an event that makes what was read old. */
export function useRead<T>(
  ask: () => Promise<Answer<T>> | undefined,
  on: readonly unknown[],
  isTold?: (event: StreamEvent) => boolean,
): Reading<T> {
  const value = useSignal<T | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const asked = useRef(0)
  async function reload(): Promise<void> {
    asked.current += 1
    const round = asked.current
    const answer = await ask()
    // Another one was asked meanwhile.
    if (answer === undefined || round !== asked.current) return
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) value.value = answer.value
  }
  useEffect(() => {
    void reload()
    const stop = isTold && onEvent((event) => void ((event.type === 'server.connected' || isTold(event)) && reload()))
    return () => {
      stop?.()
      asked.current += 1
    }
  }, on)
  return { value, failure, reload }
}
