/** Which words are fetched before anything is drawn, and which later. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { englishFirst } from '../../../../workers/app/web/locales/english-first.ts'
import { englishRest } from '../../../../workers/app/web/locales/english-rest.ts'

const web = path.join(import.meta.dirname, '../../../../workers/app/web')

/** Its own text and that of everything it imports at once; what is imported by a call comes later. */
function sourcesOf(entries: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const waiting = entries.map((entry) => path.join(web, entry))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    const text = readFileSync(file, 'utf8')
    found.set(file, text)
    for (const [, from = ''] of text.matchAll(/^(?:import|export) (?!type )[^;'"]*?from '(\.[^']+\.tsx?)'/gm))
      waiting.push(path.join(path.dirname(file), from))
  }
  return found
}

const wordsRead = /\bwords\.value\.(\w+)|\bconst \{([^}]+)\} = words\.value\b(?!\.)/g

test('the screens that are drawn first read the first words alone', ({ expect }) => {
  const sources = sourcesOf(['main.tsx', 'pages/overview.tsx', 'pages/sign-in.tsx'])
  expect(sources.size).toBeGreaterThan(20)
  const late = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(wordsRead)]
      .flatMap(([, one, several]) => one ?? (several ?? '').split(',').map((name) => name.replace(/:.*/, '').trim()))
      .filter((name) => !Object.hasOwn(englishFirst, name))
      .map((name) => `${path.relative(web, file)} reads ${name}`),
  )
  expect(late).toEqual([])
})

test('no word is in both files', ({ expect }) => {
  expect(Object.keys(englishRest).filter((name) => Object.hasOwn(englishFirst, name))).toEqual([])
})
