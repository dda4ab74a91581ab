/** What ends with the password beside the other sessions: all of it, but for what is kept by a tick. */
import { type Signal, useSignal } from '@preact/signals'
import type { Entrance } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { Tick } from './field.tsx'

const entrances: readonly Entrance[] = ['tokens', 'devices', 'passkeys']

export function useKeptEntrances(): Signal<readonly Entrance[]> {
  return useSignal<readonly Entrance[]>([])
}

export function KeptEntrances({ kept }: { readonly kept: Signal<readonly Entrance[]> }) {
  const text = words.value.settings
  return (
    <fieldset class="ticks">
      <legend class="label">{text.keptLead}</legend>
      {entrances.map((entrance) => (
        <Tick
          key={entrance}
          checked={kept.value.includes(entrance)}
          onChange={(isKept) => {
            const others = kept.value.filter((one) => one !== entrance)
            kept.value = isKept ? [...others, entrance] : others
          }}
        >
          {text.kept[entrance]}
        </Tick>
      ))}
    </fieldset>
  )
}
