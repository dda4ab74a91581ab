/** Where a service is, and what opens it: that is write-only, and an empty box means that what is stored stays. */

import { TextField, Tick } from '#shared/pages/field.tsx'
import { serviceAddressCharactersMax, serviceKeyCharactersMax } from '../../limits.ts'
import { words } from '../locales/words.ts'

interface Typed {
  readonly value: string
  readonly onText: (text: string) => void
}

/** As it is sent: undefined while what is stored stays. */
export function typedKey({
  key,
  removeKey,
}: {
  readonly key: string
  readonly removeKey: boolean
}): string | undefined {
  return removeKey ? '' : key.trim() || undefined
}

export function StoredKey(props: {
  label: string
  typed: Typed
  hint: string | undefined
  isStored: boolean
  removal: { checked: boolean; onChange: (on: boolean) => void }
}) {
  const text = words.value.services
  return (
    <>
      <TextField
        label={props.label}
        secret
        autocomplete="new-password"
        maxLength={serviceKeyCharactersMax}
        {...props.typed}
        hint={props.isStored ? text.keyStored : props.hint}
      />
      {props.isStored ? <Tick {...props.removal}>{text.removeKey}</Tick> : null}
    </>
  )
}

export function ServiceAddressField(props: Typed & { label: string; usual: string; error?: string | undefined }) {
  const { usual, ...field } = props
  return (
    <TextField
      {...field}
      address
      maxLength={serviceAddressCharactersMax}
      hint={words.value.services.addressHint(usual)}
    />
  )
}
