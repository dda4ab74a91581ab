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
const { section } = speech

/** What every view says. */
export const words = section('frame')
export const accuracyWords = section('accuracy')
export const changeWords = section('change')
export const deadCodeWords = section('deadCode')
export const entriesWords = section('entries')
export const fileWords = section('file')
export const filesWords = section('files')
export const flowWords = section('flow')
export const homeWords = section('home')
export const mapWords = section('map')
export const routesWords = section('routes')
export const symbolWords = section('symbol')
export const textWords = section('text')
export const trailsWords = section('trails')
