import { computed, type ReadonlySignal } from '@preact/signals'
import { language } from '../preferences.ts'

/** The words of one room in the language chosen. English is the shape: another language lacking a key does not compile. */
export function dictionary<T>(english: T, chinese: NoInfer<T>): ReadonlySignal<T> {
  return computed(() => (language.value === 'zh' ? chinese : english))
}
