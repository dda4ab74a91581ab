/** A new password typed twice, with its rules: the same where it is first set and where it is changed. */

import { TextField } from '#shared/pages/field.tsx'
import { passwordCharactersMax, passwordCharactersMin } from '../../limits.ts'
import { words } from '../locales/words.ts'
import { type NewPassword, passwordStrength } from '../model/password-strength.ts'
import type { Form } from '../use-form.ts'

export function NewPasswordFields<V extends NewPassword>(props: {
  form: Pick<Form<V>, 'values' | 'set' | 'wrong'>
  label: string
  againLabel: string
}) {
  const { form } = props
  const { password, again } = form.values
  const rules = words.value.setup
  const strength = passwordStrength(password)
  const boxOf = (key: keyof NewPassword) => ({
    secret: true,
    autocomplete: 'new-password',
    maxLength: passwordCharactersMax,
    value: form.values[key],
    onText: (text: string) => form.set({ [key]: text } as Partial<V>),
  })
  return (
    <>
      <TextField
        label={props.label}
        {...boxOf('password')}
        hint={password === '' ? rules.lengthHint(passwordCharactersMin) : rules.strength[strength]}
        error={form.wrong(strength === 'too-short', rules.tooShort(passwordCharactersMin))}
      />
      <TextField label={props.againLabel} {...boxOf('again')} error={form.wrong(again !== password, rules.differ)} />
    </>
  )
}
