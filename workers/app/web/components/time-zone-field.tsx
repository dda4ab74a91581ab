/** By whose clock days begin: one of the zones that the browser knows. */

import { SelectField } from '#shared/pages/field.tsx'
import { words } from '../locales/words.ts'

/** Where the browser is. */
export function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The browser lists a zone by one of its names only; `UTC` it knows and does not list. */
function knownZones(also: string): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', also])].sort()
}

export function TimeZoneField(props: { value: string; onChoose: (zone: string) => void }) {
  const text = words.value.locale
  return (
    <SelectField
      label={text.timeZone}
      hint={text.timeZoneHint}
      value={props.value}
      onChoose={props.onChoose}
      options={knownZones(props.value).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
    />
  )
}
