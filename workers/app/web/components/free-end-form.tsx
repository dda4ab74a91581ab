/** What is done about a torrent whose free period ends before it is complete: one setting for all sites. */

import { SelectField } from '#shared/pages/field.tsx'
import type { WireFreeEndSettings } from '../../contract/console-settings.ts'
import { changeFreeEndSettings } from '../api/service.ts'
import { words } from '../locales/words.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { inSection } from './in-section.ts'

const freeEndActions = ['off', 'warn', 'pause'] as const
const unknownEnds = ['ending', 'open'] as const

export function FreeEndForm({ initial, onSaved }: { initial: WireFreeEndSettings; onSaved?: () => void }) {
  const text = words.value.services
  const form = useForm(initial)
  const { action, unknown_end } = form.values
  return (
    <FormFrame
      {...inSection()}
      form={form}
      isRight
      send={() => changeFreeEndSettings({ action, unknown_end })}
      onSaved={(stored) => {
        form.restart(stored)
        onSaved?.()
      }}
    >
      <p class="muted">{text.freeEndLead}</p>
      <div class="two-f">
        <SelectField
          label={text.freeEndAction}
          value={action}
          onChoose={(value) => form.set({ action: freeEndActions.find((one) => one === value) ?? action })}
          options={freeEndActions.map((value) => ({ value, label: text.freeEndActions[value] }))}
        />
        <SelectField
          label={text.unknownEnd}
          hint={text.unknownEndHint}
          value={unknown_end}
          onChoose={(value) => form.set({ unknown_end: unknownEnds.find((one) => one === value) ?? unknown_end })}
          options={unknownEnds.map((value) => ({ value, label: text.unknownEnds[value] }))}
        />
      </div>
    </FormFrame>
  )
}
