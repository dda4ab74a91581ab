/** The frame of a form that stores something: its fields, why it was not stored, and its buttons. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Note } from './note.tsx'
import type { Form, Saved, Sent } from './use-form.ts'

/** Where a form stands: on a page of its own, below others of a page, in a dialog, in a panel, or alone. */
const looks = {
  page: { row: 'su-act', button: 'btn primary' },
  section: { row: 'btns', button: 'btn' },
  dialog: { row: 'btns ends-right', button: 'btn primary' },
  panel: { row: 'btns', button: 'btn primary' },
  alone: { row: 'su-act', button: 'btn primary full' },
} as const

/** The frames of a room whose requests fail as `F`. */
export function framesOf<F>(room: {
  FailureNote: FunctionComponent<{ failure: F | undefined }>
  cancelWords: () => string
  /** The question on leaving, where forms ask. */
  Leaving?: FunctionComponent<{ to: Signal<string | undefined> }>
}) {
  return function FormFrame<V extends object, R>(props: {
    form: Form<V, F>
    isRight: boolean
    send: () => Promise<Sent<R, F>>
    onSaved: Saved<R>
    /** Before anything is sent; false ends it there. */
    before?: () => Promise<boolean>
    submitWords: ComponentChildren
    look?: keyof typeof looks
    class?: string
    /** There is nothing to send yet. */
    rests?: boolean
    /** In a dialog: how it is left. */
    onCancel?: () => void
    /** What is said of a form that stays where it is once it is stored. */
    savedWords?: string | undefined
    beside?: ComponentChildren
    beforeSubmit?: ComponentChildren
    failureNote?: ComponentChildren
    children: ComponentChildren
  }) {
    const { form, look = 'page' } = props
    const frame = useRef<HTMLFormElement>(null)
    useEffect(() => {
      if (form.refused > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    }, [form.refused])
    async function submitForm(): Promise<void> {
      if (props.before !== undefined && form.busy === undefined && !(await props.before())) return
      await form.submit(props.isRight && props.rests !== true, props.send, props.onSaved)
    }
    const submit = (
      // Busy, it is not `disabled`: the focus stays on it.
      <button
        class={looks[look].button}
        type="submit"
        disabled={props.rests}
        aria-disabled={form.busy === undefined ? undefined : 'true'}
      >
        {props.submitWords}
      </button>
    )
    return (
      <>
        <form
          ref={frame}
          class={props.class ?? 'su-form'}
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            void submitForm()
          }}
        >
          {props.children}
          {form.failure === undefined ? null : props.failureNote === undefined ? (
            <room.FailureNote failure={form.failure} />
          ) : (
            props.failureNote
          )}
          {form.isSaved && props.savedWords !== undefined ? (
            <Note tone="good" role="status">
              {props.savedWords}
            </Note>
          ) : null}
          <div class={looks[look].row}>
            {look === 'section' ? submit : null}
            {props.beside}
            {props.onCancel === undefined ? null : (
              <button class="btn" type="button" onClick={props.onCancel}>
                {room.cancelWords()}
              </button>
            )}
            {look === 'section' ? null : props.beforeSubmit == null ? (
              submit
            ) : (
              <span class="btns">
                {props.beforeSubmit}
                {submit}
              </span>
            )}
          </div>
        </form>
        {room.Leaving === undefined ? null : <room.Leaving to={form.leaving} />}
      </>
    )
  }
}
