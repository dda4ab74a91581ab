import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { ApiFailure } from './api/call.ts'
import type { Resource } from './resource.ts'

type Outcome = { readonly ok: true } | { readonly ok: false; readonly failure: ApiFailure }

export interface RowActions<T = unknown> {
  readonly failure: ReadonlySignal<ApiFailure | undefined>
  readonly after: (outcome: Outcome) => Promise<void>
  /** The row that is to go once that is agreed to. */
  readonly removing: Signal<T | undefined>
}

/** What comes after an action on a list: the reason where it failed, and the list as it is now. */
export function useAfter<T = unknown>(...lists: readonly Pick<Resource<unknown>, 'reload'>[]): RowActions<T> {
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const removing = useSignal<T | undefined>(undefined)
  return {
    failure,
    removing,
    async after(outcome) {
      failure.value = outcome.ok ? undefined : outcome.failure
      await Promise.all(lists.map((list) => list.reload()))
    },
  }
}
