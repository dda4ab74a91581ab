import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { goTo, releaseAddress } from '../router.ts'
import type { Form, Saved } from '../use-form.ts'
import { Confirm } from './confirm.tsx'
import { FailureNote } from './note.tsx'

/** The frame of a form that stores something: its fields, why it was not stored, its buttons, and a question on leaving. */
export function FormFrame<V extends object, R>(props: {
  form: Form<V>
  isRight: boolean
  send: () => Promise<Answer<R>>
  onSaved: Saved<R>
  submitWords: string
  beside?: ComponentChildren
  beforeSubmit?: ComponentChildren
  failureNote?: ComponentChildren
  children: ComponentChildren
}) {
  const { form } = props
  const text = words.value.form
  const frame = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.refused > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form.refused])
  const submit = (
    <button class="btn primary" type="submit" disabled={form.busy !== undefined}>
      {props.submitWords}
    </button>
  )
  return (
    <>
      <form
        ref={frame}
        class="su-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit(props.isRight, props.send, props.onSaved)
        }}
      >
        {props.children}
        {form.failure === undefined ? null : (props.failureNote ?? <FailureNote failure={form.failure} />)}
        <div class="su-act">
          {props.beside}
          {props.beforeSubmit == null ? (
            submit
          ) : (
            <span class="btns">
              {props.beforeSubmit}
              {submit}
            </span>
          )}
        </div>
      </form>
      {form.leaving.value === undefined ? null : (
        <Confirm
          title={text.leaveTitle}
          body={text.leaveBody}
          action={text.leave}
          onConfirm={() => {
            const hash = form.leaving.value ?? ''
            releaseAddress()
            goTo(hash)
          }}
          onCancel={() => {
            form.leaving.value = undefined
          }}
        />
      )}
    </>
  )
}
