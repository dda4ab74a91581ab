import type { ComponentChildren } from 'preact'
import type { Answer } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { goTo, guardAddress } from '../router.ts'
import type { Form } from '../use-form.ts'
import { Confirm } from './confirm.tsx'
import { FailureNote } from './note.tsx'

/** The frame of a form that stores something: its fields, why it was not stored, its buttons, and a question on leaving. */
export function FormFrame<V extends object>(props: {
  form: Form<V>
  isRight: boolean
  send: () => Promise<Answer<unknown>>
  onSaved: () => void
  submitWords: string
  beside?: ComponentChildren
  beforeSubmit?: ComponentChildren
  failureNote?: ComponentChildren
  children: ComponentChildren
}) {
  const { form } = props
  const text = words.value.form
  const submit = (
    <button class="btn primary" type="submit" disabled={form.busy !== undefined}>
      {props.submitWords}
    </button>
  )
  return (
    <>
      <form
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
            guardAddress(undefined)
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
