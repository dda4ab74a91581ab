/** What the figures of an account are called: the words in use everywhere, or those of one site in their place. */
import type { LabelName, SiteLabels } from '../../../core/site.ts'
import stock from '../../../definitions/account-labels.json' with { type: 'json' }

type RowName = Exclude<LabelName, 'bonus_per_hour' | 'total_size' | 'new_messages'>

export interface AccountWords {
  /** Words at the head of a row, or before a colon. */
  readonly heads: Readonly<Record<RowName, readonly string[]>>
  /** `label:` of what counts and of what was really moved, longest first, so that one is never read as the other. */
  readonly telling: RegExp
  /** The bonus in the block: a word, links in brackets beside it, a colon, the figure. */
  readonly blockBonus: RegExp
  readonly bonusPerHour: readonly RegExp[]
  readonly totalSize: RegExp
  /** Beside the mark of the inbox, and alone. */
  readonly newMessages: RegExp
  readonly newMessagesAlone: RegExp
}

const figure = '([0-9][0-9,]{0,20}(?:\\.[0-9]{1,12})?)'
const amount = '([0-9][0-9,]{0,20}(?:\\.[0-9]{1,12})?\\s{0,4}[KMGTPE]?i?B)'
const anyOf = (words: readonly string[]) =>
  [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s'))
    .join('|')

function wordsOf(own: SiteLabels): AccountWords {
  const heads = {
    transfer: own.transfer ?? stock.transfer,
    uploaded: own.uploaded ?? stock.uploaded,
    downloaded: own.downloaded ?? stock.downloaded,
    ratio: own.ratio ?? stock.ratio,
    level: own.level ?? stock.level,
    bonus: own.bonus ?? stock.bonus,
    last_active: own.last_active ?? stock.lastActive,
    hit_and_run: own.hit_and_run ?? stock.hitAndRun,
  }
  const newMessages = anyOf(own.new_messages ?? stock.newMessages)
  // Words that the site no longer means still end the value before them.
  const tellings = [...stock.notCounted, ...stock.uploaded, ...stock.downloaded, ...stock.ratio]
  return {
    heads,
    telling: new RegExp(
      `(?<![\\p{L}\\p{N}])(${anyOf([...tellings, ...heads.uploaded, ...heads.downloaded, ...heads.ratio])})\\s{0,3}[:：]`,
      'giu',
    ),
    blockBonus: new RegExp(
      `(?<![\\p{L}])(?:${anyOf(heads.bonus)})\\s{0,3}(?:\\[[^\\]]{0,40}\\]\\s{0,3}){0,3}[:：]\\s{0,3}${figure}`,
      'iu',
    ),
    bonusPerHour: own.bonus_per_hour === undefined ? stockPerHour : [beforeFigure(own.bonus_per_hour)],
    totalSize: new RegExp(`(?:${anyOf(own.total_size ?? stock.totalSize)})\\s{0,3}[:：]\\s{0,3}${amount}`, 'i'),
    newMessages: new RegExp(`^\\s*[0-9,]{1,9}\\s{0,3}[(（]\\s{0,3}([0-9,]{1,9})\\s{0,3}(?:${newMessages})`, 'i'),
    newMessagesAlone: new RegExp(`([0-9,]{1,9})\\s{0,3}(?:${newMessages})`, 'i'),
  }
}

function beforeFigure(words: readonly string[]): RegExp {
  return new RegExp(`(?:${anyOf(words)})\\s{0,3}[:：]?\\s{0,3}${figure}`, 'i')
}

const isEnglish = (words: string) => words.startsWith('you')
const { before, afterEnglish } = stock.bonusPerHour
const stockPerHour = [
  beforeFigure(before.filter((words) => !isEnglish(words))),
  new RegExp(
    `(?:${anyOf(before.filter(isEnglish))})\\s{1,3}${figure}\\s{1,3}[a-z]{1,30}\\s{0,3}(?:${anyOf(afterEnglish)})`,
    'i',
  ),
]

/** The same on every page, whatever the site calls its figures. */
export const records = new RegExp(`${figure}\\s{0,4}(?:${anyOf(stock.records)})`, 'i')
export const noRecord = new RegExp(`^\\s*(?:${anyOf(stock.noRecord)})`, 'i')

/** One entry for each set of words in use: patterns are made once. */
const made = new WeakMap<SiteLabels, AccountWords>()

export function accountWords(own: SiteLabels): AccountWords {
  const known = made.get(own)
  if (known !== undefined) return known
  const words = wordsOf(own)
  made.set(own, words)
  return words
}
