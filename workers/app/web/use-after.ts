import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ApiFailure } from './api-client.ts'
import type { Resource } from './resource.ts'

type Outcome = { readonly ok: true } | { readonly ok: false; readonly failure: ApiFailure }

/** What comes after an action on a list: the reason where it failed, and the list as it is now. */
export function useAfter(...lists: readonly Pick<Resource<unknown>, 'reload'>[]): {
  readonly failure: ReadonlySignal<ApiFailure | undefined>
  readonly after: (outcome: Outcome) => Promise<void>
} {
  const failure = useSignal<ApiFailure | undefined>(undefined)
  return {
    failure,
    async after(outcome) {
      failure.value = outcome.ok ? undefined : outcome.failure
      await Promise.all(lists.map((list) => list.reload()))
    },
  }
}
