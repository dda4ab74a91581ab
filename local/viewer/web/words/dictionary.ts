import { computed, type ReadonlySignal } from '@preact/signals'
import { language } from '../preferences.ts'

/** The words of one room in the language chosen. English is the shape: another language lacking a key does not compile. */
export function dictionary<T>(english: T, chinese: NoInfer<T>): ReadonlySignal<T> {
  return computed(() => (language.value === 'zh' ? chinese : english))
}

/** `1,234`, the same in both languages. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 file`, `2,041 files`. */
export function counted(value: number, one: string, many: string): string {
  return `${grouped(value)} ${value === 1 ? one : many}`
}
