import { type Signal, useSignal } from '@preact/signals'
import type { ApiFailure } from './api/call.ts'
import type { Resource } from './resource.ts'

type Outcome = { readonly ok: true } | { readonly ok: false; readonly failure: ApiFailure }

export interface Actions<T = unknown> {
  /** Why the last one failed. */
  readonly failure: Signal<ApiFailure | undefined>
  /** The name of what is under way. */
  readonly busy: string | undefined
  readonly isBusy: boolean
  /** One at a time: undefined where another is under way. */
  readonly act: <O extends Outcome>(ask: () => Promise<O>, name?: string) => Promise<O | undefined>
  readonly after: (outcome: Outcome) => Promise<void>
  /** The row that is to go once that is agreed to. */
  readonly removing: Signal<T | undefined>
}

/** Actions on what is shown, and what comes after one: the reason where it failed, and the lists as they are now. */
export function useActions<T = unknown>(...lists: readonly Pick<Resource<unknown>, 'reload'>[]): Actions<T> {
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const busy = useSignal<string | undefined>(undefined)
  const removing = useSignal<T | undefined>(undefined)
  async function after(outcome: Outcome): Promise<void> {
    failure.value = outcome.ok ? undefined : outcome.failure
    await Promise.all(lists.map((list) => list.reload()))
  }
  return {
    failure,
    busy: busy.value,
    isBusy: busy.value !== undefined,
    removing,
    after,
    async act(ask, name = 'act') {
      if (busy.peek() !== undefined) return undefined
      busy.value = name
      const answer = await ask()
      await after(answer)
      busy.value = undefined
      return answer
    },
  }
}
