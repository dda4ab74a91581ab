import { type Signal, useSignal } from '@preact/signals'

type Outcome<F> = { readonly ok: true } | { readonly ok: false; readonly failure: F }

export interface Actions<F, T = unknown> {
  /** Why the last one failed. */
  readonly failure: Signal<F | undefined>
  /** The name of what is under way. */
  readonly busy: string | undefined
  readonly isBusy: boolean
  /** One at a time: undefined where another is under way. */
  readonly act: <O extends Outcome<F>>(ask: () => Promise<O>, name?: string) => Promise<O | undefined>
  readonly after: (outcome: Outcome<F>) => Promise<void>
  /** The row that is to go once that is agreed to. */
  readonly removing: Signal<T | undefined>
}

/** What can be read again. */
export interface Reloaded {
  readonly reload: () => Promise<unknown>
}

/** Actions on what is shown, and what comes after one: the reason where it failed, and the lists as they are now. `F`: how a room's own requests fail. */
export function actionsOf<F>() {
  return function useActions<T = unknown>(...lists: readonly Reloaded[]): Actions<F, T> {
    const failure = useSignal<F | undefined>(undefined)
    const busy = useSignal<string | undefined>(undefined)
    const removing = useSignal<T | undefined>(undefined)
    async function after(outcome: Outcome<F>): Promise<void> {
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
}
