/** What a page of the console says, and which of it is in our own words. */
import type { Page } from 'playwright-core'
import { chinese } from '../../workers/app/web/locales/chinese.ts'
import { english } from '../../workers/app/web/locales/english.ts'

/** What somebody reads or hears, text by text. */
const script = `(() => {
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement
      if (parent !== null && !parent.closest('script, style, noscript')) found.add(node.data.trim())
      continue
    }
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
      const value = node.getAttribute(name)
      if (value !== null) found.add(value.trim())
    }
  }
  found.add(document.title)
  return [...found].filter((text) => text !== '')
})()`

export const textsOn = async (page: Page) => (await page.evaluate(script)) as string[]

function leaves(words: unknown, path = ''): (readonly [string, string])[] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words !== 'object' || words === null) return []
  return Object.entries(words).flatMap(([key, value]) => leaves(value, `${path}.${key}`))
}

const inChinese = new Map(leaves(chinese))
/** Sentences and words of ours that the other language says otherwise. */
export const ourEnglish = new Set(
  leaves(english).flatMap(([path, text]) => (inChinese.get(path) === text ? [] : [text])),
)
