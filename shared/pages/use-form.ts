/** What is typed into a form: its values, what is wrong with them, and what came of sending them. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** What came of a request, as a room's own requests say it. */
export type Sent<R, F> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly failure: F }

export interface Form<V extends object, F = unknown> {
  readonly values: V
  readonly set: (change: Partial<V>) => void
  /** Whether something was typed that is not stored. */
  readonly isDirty: boolean
  /** What stands here is what was stored a moment ago. */
  readonly isSaved: boolean
  /** What of it is under way. */
  readonly busy: string | undefined
  readonly failure: F | undefined
  /** How often it was tried in vain: each time the first field that is wrong gets the focus. */
  readonly refused: number
  /** Where the reader wants to go although what is typed is not stored. */
  readonly leaving: Signal<string | undefined>
  /** What stands below a field: our own words once it was tried, else what the server says of that field. */
  readonly wrong: (isWrong: boolean, said: string, wireField?: string) => string | undefined
  readonly typed: <K extends KeysOf<V, string>>(key: K) => { value: V[K]; onText: (text: string) => void }
  readonly chosen: <K extends keyof V>(key: K) => { value: V[K]; onChoose: (value: V[K]) => void }
  readonly ticked: <K extends KeysOf<V, boolean>>(key: K) => { checked: boolean; onChange: (on: boolean) => void }
  /** Something beside storing, such as a test: one thing at a time, and what is wrong is shown from then on. */
  readonly run: (name: string, isRight: boolean, act: () => Promise<void>) => Promise<void>
  readonly submit: <R>(isRight: boolean, send: () => Promise<Sent<R, F>>, onSaved: Saved<R>) => Promise<void>
  /** Begins anew, with what is stored by now. */
  readonly restart: (stored: V) => void
}

export type Saved<R> = (saved: R) => void | Promise<void>

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & keyof V

/** A try of what is typed, before anything is stored. */
export interface Trial<R, F> {
  readonly outcome: { readonly result: R } | { readonly failure: F } | undefined
  /** Undefined where nothing came back. */
  readonly run: (isRight: boolean) => Promise<R | undefined>
  readonly forget: () => void
}

/** The forms of a room whose requests fail as `F`. */
export function formsOf<F>({
  guard,
  wrongIn,
}: {
  /** Asks whoever wants to leave the place, until it is released. In a room without one nothing is asked. */
  guard?: (ask: (hash: string) => void) => () => void
  /** What the server says of one field. */
  wrongIn: (failure: F, wireField: string | undefined) => string | undefined
}) {
  /** `asks`: whether what was typed is asked for before it is lost. */
  function useForm<V extends object>(start: V, { asks = true } = {}): Form<V, F> {
    const values = useSignal(start)
    const first = useRef(JSON.stringify(start))
    const release = useRef(() => {})
    const tried = useSignal(false)
    const isSaved = useSignal(false)
    const refused = useSignal(0)
    const busy = useSignal<string | undefined>(undefined)
    const failure = useSignal<F | undefined>(undefined)
    const leaving = useSignal<string | undefined>(undefined)
    const isDirty = guard !== undefined && asks && JSON.stringify(values.value) !== first.current

    useEffect(() => {
      if (!isDirty) return
      release.current = guard((hash) => {
        leaving.value = hash
      })
      const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
      window.addEventListener('beforeunload', onUnload)
      return () => {
        release.current()
        window.removeEventListener('beforeunload', onUnload)
      }
    }, [isDirty, leaving])

    const set = (change: Partial<V>) => {
      values.value = { ...values.peek(), ...change }
      isSaved.value = false
    }
    async function run(name: string, isRight: boolean, act: () => Promise<void>): Promise<void> {
      if (busy.peek() !== undefined) return
      tried.value = true
      if (!isRight) {
        refused.value += 1
        return
      }
      busy.value = name
      await act()
      busy.value = undefined
    }
    return {
      values: values.value,
      set,
      isDirty,
      isSaved: isSaved.value,
      busy: busy.value,
      failure: failure.value,
      refused: refused.value,
      leaving,
      wrong(isWrong, said, wireField) {
        if (isWrong) return tried.value ? said : undefined
        return failure.value === undefined ? undefined : wrongIn(failure.value, wireField)
      },
      typed: (key) => ({ value: values.value[key], onText: (text) => set({ [key]: text } as unknown as Partial<V>) }),
      chosen: (key) => ({
        value: values.value[key],
        onChoose: (value) => set({ [key]: value } as unknown as Partial<V>),
      }),
      ticked: (key) => ({
        checked: values.value[key] as boolean,
        onChange: (on) => set({ [key]: on } as unknown as Partial<V>),
      }),
      run,
      restart(stored) {
        first.current = JSON.stringify(stored)
        values.value = stored
        tried.value = false
      },
      submit: (isRight, send, onSaved) =>
        run('save', isRight, async () => {
          failure.value = undefined
          isSaved.value = false
          const answer = await send()
          if (!answer.ok) {
            failure.value = answer.failure
            refused.value += 1
            return
          }
          // Who is asked on leaving is known from what was drawn last: this is not drawn yet.
          release.current()
          await onSaved(answer.value)
          isSaved.value = true
        }),
    }
  }

  function useTrial<V extends object, R>(form: Form<V, F>, send: () => Promise<Sent<R, F>>): Trial<R, F> {
    const outcome = useSignal<Trial<R, F>['outcome']>(undefined)
    return {
      outcome: outcome.value,
      async run(isRight) {
        let result: R | undefined
        await form.run('test', isRight, async () => {
          const answer = await send()
          if (answer.ok) result = answer.value
          outcome.value = answer.ok ? { result: answer.value } : { failure: answer.failure }
        })
        return result
      },
      forget() {
        outcome.value = undefined
      },
    }
  }

  return { useForm, useTrial }
}
