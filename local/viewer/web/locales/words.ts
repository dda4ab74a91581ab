/** What the page says, in the language chosen. Only the words of that language are read. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Language } from '#shared/pages/preferences.ts'
import { language, rememberLanguage } from '../preferences.ts'
import type { Words } from './english.ts'

const languages: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => import('./english.ts').then((module) => module.english),
  zh: () => import('./chinese.ts').then((module) => module.chinese),
}

/** Empty until `speak` is through; nothing is drawn before. */
const spoken = signal({} as Words)
/** The language asked for last: an earlier one that comes later is dropped. */
let wanted: Language | undefined

/** Reads the words of a language, then changes to it in one go, so that words and `lang` never disagree. */
export async function speak(next: Language): Promise<void> {
  wanted = next
  const words = await languages[next]()
  if (wanted !== next) return
  batch(() => {
    spoken.value = words
    language.value = next
  })
}

/** Without an answer from the server the language stays as it is, and so does what is remembered. */
export function chooseLanguage(next: Language): void {
  speak(next).then(
    () => rememberLanguage(language.peek()),
    () => undefined,
  )
}

function room<Name extends keyof Words>(name: Name): ReadonlySignal<Words[Name]> {
  return computed(() => spoken.value[name])
}

/** What every view says. */
export const words = room('frame')
export const deadCodeWords = room('deadCode')
export const entriesWords = room('entries')
export const fileWords = room('file')
export const flowWords = room('flow')
export const homeWords = room('home')
export const mapWords = room('map')
export const routesWords = room('routes')
export const symbolWords = room('symbol')
export const textWords = room('text')
export const trailsWords = room('trails')
