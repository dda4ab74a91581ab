/** What the page says, in the language chosen. */
import { createSpeech } from '#shared/pages/speech.ts'
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
const { room } = speech

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
