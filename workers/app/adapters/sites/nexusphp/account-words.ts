/** What the figures of an account are called: the words in use everywhere, or those of one site in their place. */
import type { LabelName, SiteLabels } from '../../../core/site.ts'
import stock from '../../../definitions/account-labels.json' with { type: 'json' }

type RowName = Exclude<LabelName, 'bonus_per_hour' | 'total_size' | 'new_messages'>

export interface AccountWords {
  /** Words at the head of a row, or before a colon. */
  readonly heads: Readonly<Record<RowName, readonly string[]>>
  /** `label:` of what counts and of what was really moved, longest first, so that one is never read as the other. */
  readonly telling: RegExp
  /** The bonus within a text: its word, links in brackets beside it, a colon, the figure. */
  readonly blockBonus: RegExp
  readonly bonusPerHour: readonly RegExp[]
  readonly totalSize: RegExp
  /** Beside the mark of the inbox, and alone. */
  readonly newMessages: RegExp
  readonly newMessagesAlone: RegExp
}

/** Heads that no owner words otherwise: what levels ask for, what is seeded, and the table of what an hour brings. */
const { joined, seedingPoints, seedingNow, seedingSize, hourTotal, hourReward } = stock
export const otherHeads = { joined, seedingPoints, seedingNow, seedingSize, hourTotal, hourReward } as const
export const usernameHeads: readonly string[] = stock.username

/** Not the first of several in marks of their own, as coins of different metals are. */
const figure = '([0-9][0-9,]{0,20}(?:\\.[0-9]{1,12})?)(?![0-9.,\ue000]?[0-9]|[ \\u2009\\u202f][0-9]{3}(?![0-9]))'
const amount = '([0-9][0-9,]{0,20}(?:\\.[0-9]{1,12})?\\s{0,4}[KMGTPE]?i?B)'
/** Between two parts of a page, where their text is read as one. */
export const partMark = '\ue000'
const gap = `[\\s${partMark}]{0,6}`
/** Another word before one, in the same part of the page, makes another label of both, and so does one joined to it. Units are shorter. */
const noOtherWord = '(?<!\\p{L}{4,}\\s)(?<!\\p{L}[-\\u2010\\u2011])'
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
      `(?<![\\p{L}\\p{N}])${noOtherWord}(?<!\\b(?:${anyOf(stock.otherwise)})\\s)(${anyOf([...tellings, ...heads.uploaded, ...heads.downloaded, ...heads.ratio])})${gap}[:：]`,
      'giu',
    ),
    blockBonus: new RegExp(
      `(?<![\\p{L}])${noOtherWord}(${anyOf(heads.bonus)})${gap}(?:\\[[^\\]]{0,40}\\]${gap}){0,3}[:：]${gap}${figure}`,
      'giu',
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

const { before, beforeUnit, afterUnit } = stock.bonusPerHour
/** Most languages have the unit between the figure and the hour. */
const stockPerHour = [
  beforeFigure(before),
  new RegExp(`(?:${anyOf(beforeUnit)})\\s{1,3}${figure}\\s{1,3}\\p{L}{1,30}\\s{0,3}(?:${anyOf(afterUnit)})`, 'iu'),
]

/** The same on every page, whatever the site calls its figures. */
export const figureAfterLink = new RegExp(
  `^${gap}[^\\]:：]{0,40}\\]${gap}(?:\\[[^\\]:：]{0,40}\\]${gap}){0,3}[:：]\\s{0,6}${figure}`,
)
export const figureInLink = new RegExp(`^${gap}(\\p{L}[\\p{L} ]{0,24})?${gap}[:：]?${gap}${figure}${gap}$`, 'u')
export const records = new RegExp(`^[^0-9]{0,200}${figure}\\s{0,4}(?:${anyOf(stock.records)})`, 'i')
/** What a list states at once behind its count: all of it together. */
export const totalAfterRecords = new RegExp(
  `^[^0-9]{0,200}[0-9][0-9,]{0,20}\\s{0,4}(?:${anyOf(stock.records)})[\\s，,、]{0,6}(?:${anyOf(stock.together)})[\\s:：]{0,6}${amount}`,
  'i',
)
export const demanded = new RegExp(`(?:${anyOf(stock.demanded)})`, 'i')
export const noRecord = new RegExp(`^\\s*(?:${anyOf(stock.noRecord)})`, 'i')

/** In the table of details, where a language has one word for what is uploaded and what is downloaded. */
export const bothSides: ReadonlySet<string> = new Set(stock.bothSides)
export const signedIn = new RegExp(anyOf(stock.signedIn), 'i')
export const alreadySignedIn = new RegExp(anyOf(stock.alreadySignedIn), 'i')
export const nothingFound = new RegExp(anyOf(stock.nothingFound), 'i')

/** One entry for each set of words in use: patterns are made once. */
const made = new WeakMap<SiteLabels, AccountWords>()

export function accountWords(own: SiteLabels): AccountWords {
  const known = made.get(own)
  if (known !== undefined) return known
  const words = wordsOf(own)
  made.set(own, words)
  return words
}

/** Around the figures, in columns and in marks: what readers go by beside the words for the figures. */
const otherWords = [
  ...[
    'arrowup',
    'arrowdown',
    'inbox',
    'inboxnew',
    'seeders',
    'leechers',
    'snatched',
    'size',
    'time',
    'type',
    'comments',
  ],
  ...[
    '类型',
    '類型',
    '标题',
    '標題',
    '大小',
    '种子数',
    '種子數',
    '下载数',
    '下載數',
    '完成数',
    '完成數',
    '存活',
    '添加',
  ],
  // A unit may stand on a line of its own.
  ...['KB', 'MB', 'GB', 'TB', 'PB', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
  ...['name', 'added', 'free', '2x', '50%', '30%', 'H&R', '退出', 'logout', '欢迎回来', '歡迎回來', 'welcome'],
]

/** Words that stay in a fixture: what is read goes by them, and they are of no one account. */
export function fixtureWords(own: SiteLabels): readonly string[] {
  const { bonusPerHour, ...labels } = stock
  return [
    ...Object.values(labels).flat(),
    ...Object.values(bonusPerHour).flat(),
    ...Object.values(own).flat(),
    ...otherWords,
  ]
}
