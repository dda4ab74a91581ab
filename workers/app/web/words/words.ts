/** The words of the chosen language. Each language is a file of its own, fetched before the first screen is drawn. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Language } from '../model/moments.ts'
import type { Words } from './english.ts'

const files: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('./english.ts')).english,
  zh: async () => (await import('./chinese.ts')).chinese,
}

const shown = signal<Words | undefined>(undefined)

/** Read only after `showWords` has settled once, as the start of the page sees to. */
export const words: ReadonlySignal<Words> = shown as ReadonlySignal<Words>

export async function showWords(language: Language): Promise<void> {
  shown.value = await files[language]()
}
