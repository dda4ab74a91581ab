/** What ends with the password beside the other sessions: all of it, but for what is kept by a tick. */
import { type Entrance, entrances } from '../../core/vocabulary.ts'
import { words } from '../locales/words.ts'
import { Ticks } from './field.tsx'

export function KeptEntrances(props: {
  readonly value: readonly Entrance[]
  readonly onChoose: (kept: Entrance[]) => void
}) {
  const text = words.value.settings
  return (
    <Ticks {...props} legend={text.keptLead} options={entrances.map((value) => ({ value, label: text.kept[value] }))} />
  )
}
