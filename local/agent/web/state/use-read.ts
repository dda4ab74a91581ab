/** What a view reads when it is opened, and again when what it depends on changes or somebody asks. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Answer, ApiFailure } from '../api/ask.ts'

export interface Reading<T> {
  readonly value: Signal<T | undefined>
  readonly failure: Signal<ApiFailure | undefined>
  readonly read: () => Promise<void>
}

/** `ask` answers undefined while what it needs is not known yet. */
export function useRead<T>(ask: () => Promise<Answer<T>> | undefined, on: readonly unknown[]): Reading<T> {
  const value = useSignal<T | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const asked = useRef(0)
  async function read(): Promise<void> {
    asked.current += 1
    const round = asked.current
    const answer = await ask()
    // Another one was asked meanwhile.
    if (answer === undefined || round !== asked.current) return
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) value.value = answer.value
  }
  useEffect(() => {
    void read()
    return () => {
      asked.current += 1
    }
  }, on)
  return { value, failure, read }
}
