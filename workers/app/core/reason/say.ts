import type { OwnerLanguage } from '../vocabulary.ts'
import { inChinese } from './chinese.ts'
import { inEnglish } from './english.ts'
import type { Reason } from './reason.ts'

/** Says a reason in one language. */
export type Say = (reason: Reason) => string

/** The documented texts are Chinese; a caller that prefers English gets it (RFC 9110, 12.5.4). */
export function sayFor(headers: Pick<Headers, 'get'>): Say {
  return prefersEnglish(headers.get('accept-language')) ? inEnglish : inChinese
}

export function sayIn(language: OwnerLanguage): Say {
  return language === 'en' ? inEnglish : inChinese
}

/** As a sentence that stands alone. */
export function sentenceIn(language: OwnerLanguage): Say {
  const say = sayIn(language)
  return (reason) => `${say(reason)}${language === 'zh' ? '。' : '.'}`
}

/** Whether English is asked for, and before Chinese. */
export function prefersEnglish(accepted: string | null): boolean {
  const weights = { en: 0, zh: 0 }
  for (const range of (accepted ?? '').slice(0, headerCharactersMax).toLowerCase().split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const language = tag.split('-')[0]
    if (language !== 'en' && language !== 'zh') continue
    const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(written) ? Number(written) : 0
    // Of two that are wanted as much, the first one counts.
    if (weight > weights[language]) weights[language] = weight - (weights.en + weights.zh > 0 ? tieBreak : 0)
  }
  return weights.en > weights.zh
}

/** Below the smallest difference that weights have. */
const tieBreak = 0.0005
const headerCharactersMax = 1024
