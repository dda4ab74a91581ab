/** A name for something, or another one for what has one. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from '#shared/pages/dialog.tsx'
import { setting } from '#shared/pages/set.ts'
import type { Answer, ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'

export function NameDialog<R>(props: {
  title: string
  first?: string
  charactersMax: number
  submitWords: string
  send: (name: string) => Promise<Answer<R>>
  onSaved: () => Promise<void>
  onClose: () => void
  noteOf?: (failure: ApiFailure) => ComponentChildren
}) {
  const form = useForm({ name: props.first ?? '' })
  const name = form.values.name.trim()
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <FormFrame
        form={form}
        look="dialog"
        isRight={name !== ''}
        send={() => props.send(name)}
        onSaved={async () => {
          props.onClose()
          await props.onSaved()
        }}
        submitWords={props.submitWords}
        onCancel={props.onClose}
        failureNote={form.failure === undefined ? undefined : props.noteOf?.(form.failure)}
      >
        <NameField of={form} max={props.charactersMax} />
      </FormFrame>
    </Dialog>
  )
}

/** Another name for the row that is wanted; nothing is asked while there is none. */
export function RenameDialog<T extends { readonly id: string; readonly name: string }, R>(props: {
  wanted: Signal<T | undefined>
  text: { readonly renameTitle: (name: string) => string }
  charactersMax: number
  send: (id: string, name: string) => Promise<Answer<R>>
  onSaved: () => Promise<void>
}) {
  const { wanted, text } = props
  const one = wanted.value
  if (one === undefined) return null
  return (
    <NameDialog
      key={one.id}
      title={text.renameTitle(one.name)}
      first={one.name}
      charactersMax={props.charactersMax}
      submitWords={words.value.common.save}
      send={(name) => props.send(one.id, name)}
      onSaved={props.onSaved}
      onClose={setting(wanted, undefined)}
    />
  )
}
