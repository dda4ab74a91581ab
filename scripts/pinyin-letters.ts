/**
 * `npm run pinyin -- Unihan_Readings.txt` writes the table of first letters anew, from the readings of the Unicode
 * Character Database: kMandarin, kHanyuPinlu and kTGHZ2013.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const first = 0x4e00
const last = 0x9fff
const target = path.join(import.meta.dirname, '../workers/app/core/pinyin-letters.ts')

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('The path of Unihan_Readings.txt is needed.')
const text = readFileSync(source, 'utf8')
const version = /^# Unicode version: (\S+)/m.exec(text)?.[1] ?? 'of no version'
const letters = new Map<number, Set<string>>()
for (const [, code = '', readings = ''] of text.matchAll(
  /^U\+([0-9A-F]+)\t(?:kMandarin|kHanyuPinlu|kTGHZ2013)\t(.+)$/gm,
)) {
  const at = Number.parseInt(code, 16)
  if (at < first || at > last) continue
  const own = letters.get(at) ?? new Set()
  // `xíng(2943) háng(218)`, `131.140:háng 136.100:héng`: of each syllable its first letter, without its mark.
  for (const syllable of readings.normalize('NFD').matchAll(/(?<![\p{L}\p{M}])\p{L}/gu))
    own.add(syllable[0].toLowerCase())
  letters.set(at, own)
}
const sets = [...new Set([...letters.values()].map(nameOf).filter((name) => name.length > 1))].sort()
const table = Array.from({ length: last - first + 1 }, (_, at) => {
  const name = nameOf(letters.get(first + at) ?? new Set())
  return name.length > 1 ? String.fromCharCode(0xe000 + sets.indexOf(name)) : name === '' ? '?' : name
})
writeFileSync(
  target,
  `/** Written by \`npm run pinyin\` from Unihan_Readings.txt of the Unicode Character Database ${version}; nobody edits it. */

/** The first letters of characters with readings that begin differently. */
export const letterSets = '${sets.join(' ')}'.split(' ')

/**
 * From U+${first.toString(16).toUpperCase()} to U+${last.toString(16).toUpperCase()}, one place a character: the letter that its reading begins with, U+E000 and so on for
 * a set of them, a question mark for none.
 */
export const letterOf =
  '${table.join('').replace(/[\ue000-\uf8ff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`)}'
`,
)

function nameOf(own: ReadonlySet<string>): string {
  return [...own].sort().join('')
}
