/** Chinese titles by the first letters of their reading: `lldq` finds 流浪地球. */
import { letterOf, letterSets } from './pinyin-letters.ts'

const first = 0x4e00
const firstSet = 0xe000

/** Words that hold a character with a reading. */
const readWords = /[a-z0-9]*[\u4e00-\u9fff][\u4e00-\u9fffa-z0-9]*/g

/**
 * The words of a folded title that are read, with one sign for each character that has a reading: its letter, or the sign
 * of a set of them. Letters and digits beside it stay. Empty for a title without any.
 */
export function readingOf(foldedTitle: string): string {
  const words = foldedTitle.match(readWords)
  if (words === null) return ''
  let reading = ''
  const written = words.join(' ')
  for (let at = 0; at < written.length; at += 1) {
    const code = written.charCodeAt(at)
    reading += code < first ? written[at] : letterOf[code - first]
  }
  return reading
}

/** Finds a word in what `readingOf` makes; undefined for a word that is none of first letters. One letter is in too many. */
export function readingPattern(word: string): RegExp | undefined {
  if (!/^[a-z0-9]{2,}$/.test(word) || !/[a-z]/.test(word)) return undefined
  return new RegExp([...word].map((letter) => `[${letter}${signsOf.get(letter) ?? ''}]`).join(''))
}

/** The sets that each letter is in. */
const signsOf: ReadonlyMap<string, string> = new Map(
  [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [
    letter,
    letterSets.map((set, at) => (set.includes(letter) ? String.fromCharCode(firstSet + at) : '')).join(''),
  ]),
)
