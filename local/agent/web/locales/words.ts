/** What the page says, in the language chosen. */
import { createSpeech } from '#shared/pages/speech.ts'
import type { Moment } from '../model/amounts.ts'
import { momentOf } from '../model/amounts.ts'
import { language, rememberLanguage } from '../preferences.ts'
import type { Words } from './english.ts'

const speech = createSpeech<Words>(
  {
    en: () => import('./english.ts').then((module) => module.english),
    zh: () => import('./chinese.ts').then((module) => module.chinese),
  },
  language,
  rememberLanguage,
)
export const { speak, chooseLanguage } = speech

export const words = speech.section('frame')
export const homeWords = speech.section('home')
export const sessionWords = speech.section('session')
export const toolWords = speech.section('tools')
export const askWords = speech.section('asks')
export const panelWords = speech.section('panels')
export const fileWords = speech.section('files')
export const catalogWords = speech.section('catalog')
export const memoryWords = speech.section('memory')
export const cleanupWords = speech.section('cleanup')

export function momentText(ms: number): string {
  const moment: Moment = momentOf(ms, Date.now())
  const say = words.value.moments
  switch (moment.kind) {
    case 'now':
      return say.now
    case 'minutes':
      return say.minutes(moment.minutes)
    case 'day':
      return say.day(moment.day, moment.month)
    default:
      return moment.text
  }
}
