/** What ends with the password beside the other sessions: all of it, but for what is kept by a tick. */
import type { Entrance } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { Ticks } from './field.tsx'

const entrances: readonly Entrance[] = ['tokens', 'devices', 'passkeys']

export function KeptEntrances(props: {
  readonly value: readonly Entrance[]
  readonly onChoose: (kept: Entrance[]) => void
}) {
  const text = words.value.settings
  return (
    <Ticks {...props} legend={text.keptLead} options={entrances.map((value) => ({ value, label: text.kept[value] }))} />
  )
}
