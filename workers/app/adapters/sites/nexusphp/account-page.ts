/** Reads the account's figures from pages written for people, in Chinese or English. */
import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Document, type Element, isTag } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText, readCount, readNumber, readSize, readTime } from '../../../core/site-numbers.ts'
import { siteTextCharactersMax } from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'

export interface HomeFacts {
  readonly userId: string
  readonly username: string
  readonly unreadMessages: number
  readonly seeding?: number
  readonly leeching?: number
  readonly bonus?: number
}

/** The block about the reader that stands on every page. Undefined when it is not there. */
export function readHome(page: Document, profile: SiteProfile): HomeFacts | undefined {
  const block = selectOne<AnyNode, Element>(profile.selectors['info_block'] ?? '#info_block', page)
  if (block === null) return undefined
  const link = selectAll<AnyNode, Element>('a[href*="userdetails.php"]', block).find(({ attribs }) =>
    /[?&]id=[0-9]{1,18}/.test(attribs['href'] ?? ''),
  )
  const userId = /[?&]id=([0-9]{1,18})/.exec(link?.attribs['href'] ?? '')?.[1]
  const username = link === undefined ? '' : plainText(textContent(link), siteTextCharactersMax)
  if (userId === undefined || username === '') return undefined
  const text = plainText(spacedText(block), 8192)
  const seeding = countAfterMark(block, /arrowup/i)
  const leeching = countAfterMark(block, /arrowdown/i)
  const bonus = readNumber(
    /(?:魔力值|积分|積分|bonus|karma)[^0-9]{0,40}?([0-9][0-9,]{0,20}(?:\.[0-9]{1,6})?)/i.exec(text)?.[1] ?? '',
  )
  return {
    userId,
    username,
    unreadMessages: unreadIn(block),
    ...(seeding === undefined ? {} : { seeding }),
    ...(leeching === undefined ? {} : { leeching }),
    ...(bonus === undefined ? {} : { bonus }),
  }
}

export interface AccountFacts {
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly ratio?: number
  readonly level?: string
  readonly bonus?: number
  readonly lastActiveAtUnix?: number
  readonly hnrUnsatisfied?: number
}

/** What the site counts, not what was moved: many show both, in either order. */
const uploadedWords = /(?<!实际|實際|真实|真實|actual |actually |real |raw )(?:上传量|上傳量|上传|上傳|uploaded)/i
const downloadedWords = /(?<!实际|實際|真实|真實|actual |actually |real |raw )(?:下载量|下載量|下载|下載|downloaded)/i
const ratioWords = /(?:分享率|share ratio|ratio)/i

/** The account's own page: labels on the left, values on the right. Undefined when the figures are not there. */
export function readAccount(page: Document, profile: SiteProfile): AccountFacts | undefined {
  const values = labelledValues(page)
  const valueAt = (label: RegExp) => values.find(([name]) => label.test(name))?.[1]
  const transfer = valueAt(/传送|傳送|transfer/i)
  const text = transfer === undefined ? '' : plainText(spacedText(transfer), 4096)
  const uploadedBytes = readSize(after(text, uploadedWords))
  const downloadedBytes = readSize(after(text, downloadedWords))
  if (uploadedBytes === undefined || downloadedBytes === undefined) return undefined
  const ratio = readNumber(after(text, ratioWords).slice(0, 24))
  const levelCell = valueAt(/^(?:等级|等級|用户等级|class)/i)
  const picture = levelCell === undefined ? undefined : descendants(levelCell).find(({ name }) => name === 'img')
  const level =
    picture?.attribs['title'] || picture?.attribs['alt'] || (levelCell === undefined ? '' : textContent(levelCell))
  const bonusCell = valueAt(/魔力值|积分|積分|bonus|karma/i)
  const bonus = bonusCell === undefined ? undefined : readNumber(textContent(bonusCell))
  const lastCell = valueAt(/最近动向|最近動向|最后访问|last (?:access|seen|action)/i)
  const lastActiveAtUnix =
    lastCell === undefined ? undefined : readTime(textContent(lastCell), profile.utcOffsetMinutes)
  const hnrCell = valueAt(/^H\s?&\s?R/i)
  const hnrUnsatisfied = hnrCell === undefined ? undefined : readCount(textContent(hnrCell))
  return {
    uploadedBytes,
    downloadedBytes,
    ...(ratio === undefined || ratio < 0 ? {} : { ratio }),
    ...(level === '' ? {} : { level: plainText(level, siteTextCharactersMax) }),
    ...(bonus === undefined ? {} : { bonus }),
    ...(lastActiveAtUnix === undefined ? {} : { lastActiveAtUnix }),
    ...(hnrUnsatisfied === undefined ? {} : { hnrUnsatisfied }),
  }
}

/** How many torrents are seeded and how large they are together, as the list on the account's page says. */
export function readSeeding(page: Document): { readonly count?: number; readonly sizeBytes?: number } {
  const text = plainText(spacedText(page), 64 * 1024)
  const count = readCount(
    /([0-9][0-9,]{0,12})\s{0,4}(?:条记录|條記錄|个种子|records?|torrents?)/i.exec(text)?.[1] ?? '',
  )
  const stated = readSize(after(text, /总大小|總大小|总体积|total size/i).slice(0, 40))
  return {
    ...(count === undefined ? {} : { count }),
    ...(stated === undefined ? {} : { sizeBytes: stated }),
  }
}

/** Points an hour, from the page that explains them. */
export function readBonusPerHour(page: Document): number | undefined {
  const text = plainText(spacedText(page), 256 * 1024)
  const found =
    /每小[时時][^0-9]{0,24}([0-9][0-9,]{0,12}(?:\.[0-9]{1,6})?)/.exec(text)?.[1] ??
    /([0-9][0-9,]{0,12}(?:\.[0-9]{1,6})?)[^0-9]{0,24}(?:per|an|\/)\s?hour/i.exec(text)?.[1]
  return found === undefined ? undefined : readNumber(found)
}

function labelledValues(page: Document): (readonly [string, Element])[] {
  return descendants(page).flatMap((row) => {
    if (row.name !== 'tr') return []
    const cells = row.children.filter(isTag).filter(({ name }) => name === 'td' || name === 'th')
    const [label, value] = cells
    if (label === undefined || value === undefined) return []
    const name = plainText(textContent(label), 64)
    return name === '' ? [] : [[name, value] as const]
  })
}

function after(text: string, words: RegExp): string {
  const match = words.exec(text)
  return match === null ? '' : text.slice(match.index + match[0].length, match.index + match[0].length + 80)
}

/** The number that stands after a small picture. */
function countAfterMark(block: Element, mark: RegExp): number | undefined {
  const picture = descendants(block).find(
    ({ name, attribs }) => name === 'img' && mark.test(`${attribs['class'] ?? ''} ${attribs['alt'] ?? ''}`),
  )
  if (picture === undefined) return undefined
  let text = ''
  for (let node = picture.next; node !== null && text.trim() === ''; node = node.next) text = textContent(node)
  return readCount(text.slice(0, 24))
}

function unreadIn(block: Element): number {
  for (const { name, attribs } of descendants(block)) {
    if (name !== 'img') continue
    const words = `${attribs['class'] ?? ''} ${attribs['title'] ?? ''} ${attribs['alt'] ?? ''}`
    if (/inboxnew/i.test(words)) return readCount(/\(?([0-9]{1,6})/.exec(attribs['title'] ?? '')?.[1] ?? '') ?? 1
  }
  const link = selectAll<AnyNode, Element>('a[href*="messages.php"]', block)
  for (const one of link) {
    const count = /([0-9]{1,6})\s{0,3}(?:条?新|未读|未讀|new|unread)/i.exec(textContent(one))?.[1]
    if (count !== undefined) return readCount(count) ?? 0
  }
  return 0
}
