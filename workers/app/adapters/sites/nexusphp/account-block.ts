/** What the block about the reader says, that stands on every page. */
import { selectAll } from 'css-select'
import { type AnyNode, type Document, type Element, isTag } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText, readCount } from '../../../core/site-numbers.ts'
import {
  accountBarCharactersMax,
  accountBlockCharactersMax,
  siteNoticeCharactersMax,
  siteTextCharactersMax,
} from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import {
  agreed,
  bonusIn,
  countAfterMark,
  isOneOf,
  leechingMark,
  present,
  ratioIn,
  seedingMark,
  sizeOf,
  textAfter,
  unreached,
} from './account-figures.ts'
import { exactText, leading, markedBonus, nameIn, ownBlock, ownLinkIn, tellings } from './account-places.ts'
import { type AccountWords, accountWords } from './account-words.ts'

export interface HomeFacts {
  /** Of the account's own page: `id=1`. */
  readonly userQuery: string
  readonly username: string
  /** Undefined where the block tells of new messages without their number. */
  readonly unreadMessages?: number
  readonly seeding?: number
  readonly leeching?: number
  readonly bonus?: number
  readonly hnrUnsatisfied?: number
  readonly uploadedBytes?: number
  readonly downloadedBytes?: number
  readonly ratio?: number
}

/** The block about the reader that stands on every page. Undefined when it is not there. */
export function readHome(page: Document, profile: SiteProfile): HomeFacts | undefined {
  const block = ownBlock(page, profile)
  const own = block === undefined ? undefined : ownLinkIn(block, profile.paths['user'])
  if (block === undefined || own === undefined) return undefined
  const [link, userQuery] = own
  const username = plainText(nameIn(link), siteTextCharactersMax)
  if (username === '') return undefined
  const hitAndRuns = selectAll<AnyNode, Element>('a[href*="myhr.php"]', block).at(-1)
  const words = accountWords(profile.labels)
  const { heads } = words
  const bar = barAround(block)
  const told = tellings([block], words.telling)
  const toldOf = (names: readonly string[]) => told.filter(([name]) => isOneOf(names, name)).map(([, value]) => value)
  return {
    userQuery,
    username,
    ...present('unreadMessages', unreadIn(block, words) ?? unreadIn(bar, words) ?? announced(page, words)),
    ...present('seeding', countAfterMark(block, seedingMark) ?? countAfterMark(bar, seedingMark)),
    ...present('leeching', countAfterMark(block, leechingMark) ?? countAfterMark(bar, leechingMark)),
    ...present('bonus', bonusIn(exactText(block, accountBlockCharactersMax), words) ?? linkedBonus(block, profile)),
    ...present('hnrUnsatisfied', hitAndRuns === undefined ? undefined : unreached(spacedText(hitAndRuns), true)),
    ...present('uploadedBytes', agreed(toldOf(heads.uploaded).map((value) => sizeOf(leading(value))))),
    ...present('downloadedBytes', agreed(toldOf(heads.downloaded).map((value) => sizeOf(leading(value))))),
    ...present('ratio', agreed(toldOf(heads.ratio).map((value) => ratioIn(leading(value))))),
  }
}

/** Of a site that has words of its own, under one of them only. */
function linkedBonus(block: Element, { labels }: SiteProfile): number | undefined {
  const marked = markedBonus(block)
  const word = marked?.calledSo
    .trim()
    .toLowerCase()
    .replace(/\s{0,3}(?:系统|系統|商店)$/, '')
  return labels.bonus === undefined || isOneOf(labels.bonus, word ?? '') ? marked?.value : undefined
}

/** The row of a table that the block stands in, while it is a bar of the page and not its frame: marks may stand beside. */
function barAround(block: Element): Element {
  for (let part = block.parent; part !== null && isTag(part); part = part.parent) {
    if (part.name === 'tr') return spacedText(part).length <= accountBarCharactersMax ? part : block
  }
  return block
}

const inboxLinks = 'a[href*="messages.php"], a[href*="message.php"]'

/** The number beside the inbox, or none at all where it holds no message; a picture alone has no number. */
function unreadIn(block: Element, { newMessages, newMessagesAlone }: AccountWords): number | undefined {
  for (const link of selectAll<AnyNode, Element>(inboxLinks, block)) {
    const picture = descendants(link).find(({ name }) => name === 'img')
    const { class: classText = '', alt = '', src = '', title = '' } = picture?.attribs ?? {}
    if (/inbox/i.test(`${classText} ${alt} ${src}`)) {
      const beside = textAfter(link)
      const counted = newMessages.exec(beside)?.[1] ?? newMessagesAlone.exec(title)?.[1]
      if (counted !== undefined) return readCount(counted)
      return /^\s*0\s*$/.test(beside) && !/inboxnew/i.test(`${classText} ${src}`) ? 0 : undefined
    }
    const counted = newMessagesAlone.exec(textContent(link))?.[1]
    if (counted !== undefined) return readCount(counted)
  }
  return undefined
}

/** A notice on top of the page that leads to the inbox and says how many. */
function announced(page: Document, { newMessagesAlone }: AccountWords): number | undefined {
  const told = selectAll<AnyNode, Element>(inboxLinks, page)
    .map((link) => newMessagesAlone.exec(plainText(textContent(link), siteNoticeCharactersMax))?.[1])
    .filter((count) => count !== undefined)
  return agreed(told.map((count) => readCount(count)))
}
