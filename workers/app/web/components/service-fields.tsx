/** What a service asks for, drawn from what the list of channels says of it. */

import { TextField, Tick } from '#shared/pages/field.tsx'
import type { WireChannel, WireChannelService } from '../../contract/console-channels.ts'
import { words } from '../locales/words.ts'
import { isMissing, isNoAddress, type TypedFields } from '../model/channel-service.ts'
import { language } from '../preferences.ts'
import type { Form } from '../use-form.ts'

export function ServiceFields(props: {
  of: WireChannelService
  typed: TypedFields
  stored: WireChannel['fields']
  onType: (typed: TypedFields) => void
  wrong: Form<object>['wrong']
}) {
  const { typed, stored, wrong } = props
  const text = words.value.channels
  const set = (name: string, value: string | null) => props.onType({ ...typed, [name]: value })
  return props.of.fields.map((field) => {
    const { name, secret } = field
    const isStored = stored?.[name] === null
    const isNone = isNoAddress(field, typed)
    return (
      <div key={`${props.of.type}.${name}`}>
        <TextField
          label={field.label[language.value]}
          name={name}
          secret={secret === true}
          {...(secret ? { autocomplete: 'new-password' } : {})}
          address={field.shape === 'address'}
          code={field.shape === 'token'}
          value={typed[name] ?? ''}
          onText={(value) => set(name, value)}
          maxLength={field.max_characters}
          hint={isStored ? text.stored : field.hint?.[language.value]}
          error={wrong(
            isNone || isMissing(field, typed, stored),
            isNone ? text.addressNeeded : text.fieldNeeded,
            `fields.${name}`,
          )}
        />
        {isStored && field.optional ? (
          <Tick checked={typed[name] === null} onChange={(on) => set(name, on ? null : '')}>
            {text.forget}
          </Tick>
        ) : null}
      </div>
    )
  })
}
