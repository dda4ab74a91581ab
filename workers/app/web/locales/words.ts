/**
 * The words of the chosen language. Each language is two files: the first is fetched before anything is drawn, the other
 * one with the first screen that needs it.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Reason } from '../../core/reason/reason.ts'
import type { Language } from '../model/moments.ts'
import type { Words } from './english.ts'

interface WordFiles {
  readonly first: () => Promise<Partial<Words>>
  readonly rest: () => Promise<Partial<Words>>
}

const files: Readonly<Record<Language, WordFiles>> = {
  en: {
    first: async () => (await import('./english-first.ts')).englishFirst,
    rest: async () => (await import('./english-rest.ts')).englishRest,
  },
  zh: {
    first: async () => (await import('./chinese-first.ts')).chineseFirst,
    rest: async () => (await import('./chinese-rest.ts')).chineseRest,
  },
}

const shown = signal<Partial<Words>>({})
let language: Language = 'en'
let isRestWanted = false
let isRestShown = false

/** Read only after `showWords` has settled once; the words of later screens after `allWords` has, which `main.tsx` sees to. */
export const words = shown as ReadonlySignal<Words>

export async function showWords(wanted: Language): Promise<void> {
  language = wanted
  const hasRest = isRestWanted
  const { first, rest } = files[wanted]
  const [some, others] = await Promise.all([first(), hasRest ? rest() : {}])
  // Meanwhile another language was chosen, or all words were asked for: who did that brings them.
  if (language !== wanted || hasRest !== isRestWanted) return
  isRestShown = hasRest
  shown.value = { ...some, ...others }
}

export async function allWords(): Promise<void> {
  isRestWanted = true
  try {
    do await showWords(language)
    while (!isRestShown)
  } catch (error) {
    isRestLost.value = true
    throw error
  }
}

/** Whoever asked for them. */
const isRestLost = signal(false)

/** Sentences come with the words of later screens, which the first screen has no need of: asking fetches them. */
export function areSentencesDue(): boolean {
  if (shown.value.reason !== undefined) return false
  if (!isRestWanted) allWords().catch(() => undefined)
  return !isRestLost.value
}

/** A reason as a sentence; empty until sentences are here, and where they cannot be fetched. */
export function reasonSentence(reason: Reason): string {
  return areSentencesDue() ? '' : (shown.value.reason?.(reason) ?? '')
}
