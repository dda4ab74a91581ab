/** A new password typed twice, with its rules: the same where it is first set and where it is changed. */

import { type Signal, useSignal } from '@preact/signals'
import { passwordCharactersMax, passwordCharactersMin } from '../../limits.ts'
import { typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { passwordStrength } from '../model/password-strength.ts'
import { TextField } from './field.tsx'

export interface NewPassword {
  readonly password: Signal<string>
  readonly again: Signal<string>
  /** Faults are shown once the form was sent. */
  readonly tried: Signal<boolean>
  /** Too short, or not the same twice. */
  readonly isRefused: boolean
}

export function useNewPassword(): NewPassword {
  const password = useSignal('')
  const again = useSignal('')
  const tried = useSignal(false)
  const isRefused = passwordStrength(password.value) === 'too-short' || again.value !== password.value
  return { password, again, tried, isRefused }
}

/** Tells a password manager whose password it is; there is one owner, so nobody types a name. */
export function OwnerName() {
  return (
    <input
      class="vh"
      type="text"
      name="username"
      autocomplete="username"
      value="admin"
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

export function NewPasswordFields({
  entry,
  label,
  againLabel,
}: {
  entry: NewPassword
  label: string
  againLabel: string
}) {
  const rules = words.value.setup
  const { password, again, tried } = entry
  const strength = passwordStrength(password.value)
  return (
    <>
      <TextField
        label={label}
        secret
        autocomplete="new-password"
        maxLength={passwordCharactersMax}
        {...typed(password)}
        hint={password.value === '' ? rules.lengthHint(passwordCharactersMin) : rules.strength[strength]}
        error={tried.value && strength === 'too-short' ? rules.tooShort(passwordCharactersMin) : undefined}
      />
      <TextField
        label={againLabel}
        secret
        autocomplete="new-password"
        maxLength={passwordCharactersMax}
        {...typed(again)}
        error={tried.value && again.value !== password.value ? rules.differ : undefined}
      />
    </>
  )
}
