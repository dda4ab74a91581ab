/** A field and the signal it writes to, said once. */
import type { Signal } from '@preact/signals'

export function typed<T extends string>(of: Signal<T>) {
  return {
    value: of.value,
    onText: (text: T) => {
      of.value = text
    },
  }
}
