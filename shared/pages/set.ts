/** Handlers that do nothing but put a value into a signal. */
import type { Signal } from '@preact/signals'

export function setting<T>(target: Signal<T>, value: NoInfer<T>): () => void {
  return () => {
    target.value = value
  }
}

/** For what is handed the value itself. */
export function into<T>(target: Signal<T>): (value: T) => void {
  return (value) => {
    target.value = value
  }
}

export function typedInto(
  target: Signal<string>,
): (event: { readonly currentTarget: { readonly value: string } }) => void {
  return (event) => {
    target.value = event.currentTarget.value
  }
}
