/** What a page says, and which of the console's is in our own words. */
import type { Page } from 'playwright-core'
import { chinese } from '../../workers/app/web/locales/chinese.ts'
import { english } from '../../workers/app/web/locales/english.ts'

interface Texts {
  readonly ours: readonly string[]
  /** Of what is quoted. */
  readonly theirs: readonly string[]
}

/** Selectors: nobody reads it here, or it says that it is somebody else's. */
interface Apart {
  readonly passedOver: string
  readonly quoted: string
}

const script = ({ passedOver, quoted }: Apart) => `(() => {
  const ours = new Set([document.title]), theirs = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement
      if (parent.closest('script, style, noscript, ${passedOver}')) continue
      if (parent.closest('${quoted}')) theirs.add(parent.textContent.trim())
      else ours.add(node.data.trim())
      continue
    }
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
      ours.add((node.getAttribute(name) ?? '').trim())
  }
  return { ours: [...ours].filter(Boolean), theirs: [...theirs].filter(Boolean) }
})()`

const nothing = ':not(*)'

/** What somebody reads or hears, text by text. */
export const textsApart = async (page: Page, apart: Apart) => (await page.evaluate(script(apart))) as Texts

export const textsOn = async (page: Page) => (await textsApart(page, { passedOver: nothing, quoted: nothing })).ours

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
