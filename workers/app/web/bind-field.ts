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

export function chosen<T>(of: Signal<T>) {
  return {
    value: of.value,
    onChoose: (next: T) => {
      of.value = next
    },
  }
}

export function ticked(of: Signal<boolean>) {
  return {
    checked: of.value,
    onChange: (on: boolean) => {
      of.value = on
    },
  }
}
