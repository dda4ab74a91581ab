/** What a page says, in the language chosen. Only the words of that language are read. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Language } from './preferences.ts'

export interface Speech<W extends object> {
  /** Reads the words of a language, then changes to it in one go, so that words and `lang` never disagree. */
  readonly speak: (next: Language) => Promise<void>
  /** Without an answer from the server the language stays as it is, and so does what is remembered. */
  readonly chooseLanguage: (next: Language) => void
  readonly section: <Name extends keyof W>(name: Name) => ReadonlySignal<W[Name]>
}

export function createSpeech<W extends object>(
  languages: Readonly<Record<Language, () => Promise<W>>>,
  language: Signal<Language>,
  remember: (chosen: Language) => void,
): Speech<W> {
  /** Empty until `speak` is through; nothing is drawn before. */
  const spoken = signal({} as W)
  /** The language asked for last: an earlier one that comes later is dropped. */
  let wanted: Language | undefined
  async function speak(next: Language): Promise<void> {
    wanted = next
    const words = await languages[next]()
    if (wanted !== next) return
    batch(() => {
      spoken.value = words
      language.value = next
    })
  }
  return {
    speak,
    chooseLanguage: (next) =>
      void speak(next).then(
        () => remember(language.peek()),
        () => undefined,
      ),
    section: (name) => computed(() => spoken.value[name]),
  }
}
