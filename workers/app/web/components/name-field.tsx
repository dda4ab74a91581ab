import { TextField } from '#shared/pages/field.tsx'
import { words } from '../locales/words.ts'
import type { Form } from '../use-form.ts'

/** By which what a form is about is found again: one is needed. */
export function NameField(props: {
  of: Pick<Form<{ readonly name: string }>, 'values' | 'typed' | 'wrong'>
  max: number
  hint?: string
}) {
  const { of } = props
  const text = words.value.common
  return (
    <TextField
      label={text.name}
      {...of.typed('name')}
      maxLength={props.max}
      hint={props.hint}
      error={of.wrong(of.values.name.trim() === '', text.nameNeeded, 'name')}
    />
  )
}
