/** What a row of the list says, whichever way the page was read. Nothing here knows how pages are taken apart. */
import type { SearchHit } from '../../../core/site.ts'
import { leadingSize, plainText, readCount, readTime } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteRowsAlikeMin, siteTagsMax, siteTextCharactersMax } from '../../../limits.ts'

/** `swarm` is seeders and leechers in one column, as `12 | 3`. */
export type Column = 'category' | 'time' | 'size' | 'seeders' | 'leechers' | 'snatched' | 'swarm'

/** Words in a column's head: its text, and name, title and class of the picture that stands for it. */
const columnWords: readonly (readonly [Column, RegExp])[] = [
  ['seeders', /做种|做種|种子数|種子數|seeder|(?<![а-яё])сид(?:ы|ов)?(?![а-яё])|раздают/i],
  ['leechers', /下载者|下載者|下载数|下載數|leecher|(?<![а-яё])лич(?:и|ей)?(?![а-яё])|качают/i],
  ['snatched', /完成|snatch/i],
  ['size', /大小|体积|體積|size|размер|taille/i],
  ['time', /存活|时间|時間|发布|發佈|添加|time|added/i],
  ['category', /类型|類型|分类|分類|typ|cat|tipo|\btip\b|тип|τύπος|tyyppi|タイプ/i],
]
/** What the software's own heads sort the list by, where a theme has marks for words. */
const columnBySort: ReadonlyMap<string, Column> = new Map([
  ['4', 'time'],
  ['5', 'size'],
  ['6', 'snatched'],
  ['7', 'seeders'],
  ['8', 'leechers'],
])
/** A list that does not tell these is not one of torrents, or not one that can be read. */
const neededColumns = ['size', 'seeders', 'leechers'] as const

/** A member chooses how promotions are shown: as a picture, as a word, or as the colour of the row. */
const discountByClass: ReadonlyMap<string, Discount> = new Map([
  ['pro_free', 'FREE'],
  ['pro_free2up', '2XFREE'],
  ['pro_50pctdown', 'PERCENT_50'],
  ['pro_50pctdown2up', '2X50'],
  ['pro_30pctdown', 'PERCENT_30'],
  ['pro_2up', '2XUP'],
  ['free_bg', 'FREE'],
  ['twoupfree_bg', '2XFREE'],
  ['halfdown_bg', 'PERCENT_50'],
  ['twouphalfdown_bg', '2X50'],
  ['thirtypercentdown_bg', 'PERCENT_30'],
  ['twoup_bg', '2XUP'],
  ['sitewide_leech', 'FREE'],
  ['personal_leech', 'FREE'],
  ['unlimited_leech', 'FREE'],
  ['sitewide_seed', '2XUP'],
  ['personal_seed', '2XUP'],
  ['unlimited_seed', '2XUP'],
])
/** Short names that mean something on a word or a picture only, or behind the name of a mark. */
const discountByWordClass: ReadonlyMap<string, Discount> = new Map([
  ['free', 'FREE'],
  ['twoupfree', '2XFREE'],
  ['halfdown', 'PERCENT_50'],
  ['twouphalfdown', '2X50'],
  ['thirtypercent', 'PERCENT_30'],
  ['twoup', '2XUP'],
  ['thirtypercentdown', 'PERCENT_30'],
  ['2xfree', '2XFREE'],
  // Counts neither way, which is free to who downloads.
  ['zeroupzerodown', 'FREE'],
])
/** The software's own names of promotions, whatever the language of the page. */
export const discountByName: ReadonlyMap<string, Discount> = new Map([
  ['free', 'FREE'],
  ['2x', '2XUP'],
  ['2x free', '2XFREE'],
  ['50%', 'PERCENT_50'],
  ['2x 50%', '2X50'],
  ['30%', 'PERCENT_30'],
])
/** The same behind the name of a mark, where nothing but letters and figures may stand. */
const discountByShortName: ReadonlyMap<string, Discount> = new Map(
  [...discountByName].map(([name, discount]) => [name.replace(/[ %]/g, ''), discount]),
)
const discountPrefix = /^(?:torrent-pro-|promotion-tag-|promotion-|promo-|pro-)/

function discountIn(name: string, isWord: boolean): Discount | undefined {
  const known = discountByClass.get(name)
  if (known !== undefined) return known
  if (isWord) return discountByWordClass.get(name)
  const bare = discountPrefix.test(name) ? name.replace(discountPrefix, '') : ''
  return bare === ''
    ? undefined
    : (discountByWordClass.get(bare) ?? discountByShortName.get(bare) ?? discountByClass.get(`pro_${bare}`))
}

/** The software tells in a tooltip which promotion is on, in a mark by its class. */
const discountInTooltip = /<font class=["']?([a-z]{4,16})["'>]/

/** Where the software's own links in the cells of counts lead. */
export const countLinks: readonly (readonly [Column, RegExp])[] = [
  ['seeders', /#seeders$/],
  ['leechers', /#leechers$/],
  ['snatched', /viewsnatches\.php|#snatches$/],
]
const countColumns: ReadonlySet<Column> = new Set(['size', 'seeders', 'leechers', 'snatched'])

const hitAndRunClass = /^(?:hitandrun|hr)$/i
/** In every class that says something; most say nothing. */
const markedClass = /pro_|_bg|tag|hr|hitandrun|pro-|promo|_leech|_seed/i
const hitAndRunWords = /^H\s?&\s?R/i
/** Of relatives that call what is free golden, and what counts by half silver. */
const discountByPicture: readonly (readonly [RegExp, Discount])[] = [
  [/^золот(?:ая|ой) (?:раздача|торрент)/i, 'FREE'],
  [/^серебрян(?:ая|ый) (?:раздача|торрент)/i, 'PERCENT_50'],
]

/** An ordinary cell among heads is none of them, and as many may be missing: which column is whose is lost. */
export function areMixed(cells: readonly string[]): boolean {
  return cells.includes('td') && cells.includes('th')
}

/** Sites order and leave out columns as they like, so every column is found by its head. */
export function columnsOf(heads: readonly string[]): ReadonlyMap<number, Column> {
  const columns = new Map<number, Column>()
  const known = new Set<Column>()
  for (const [position, words] of heads.entries()) {
    const [found, other] = columnWords.filter(([column, pattern]) => !known.has(column) && pattern.test(words))
    if (found === undefined) continue
    const column = found[0] === 'seeders' && other?.[0] === 'leechers' && /[|/]/.test(words) ? 'swarm' : found[0]
    known.add(column)
    columns.set(position, column)
  }
  for (const [position, words] of heads.entries()) {
    // Alone this word may as well head the links to the files.
    if (known.has('leechers') || columns.has(position) || !/^\s*下[载載]\s*$/.test(words)) continue
    known.add('leechers')
    columns.set(position, 'leechers')
  }
  for (const [position, words] of heads.entries()) {
    const sorted = columns.has(position) ? undefined : columnBySort.get(/\bsort=([0-9])\b/.exec(words)?.[1] ?? '')
    if (sorted === undefined || known.has(sorted)) continue
    known.add(sorted)
    columns.set(position, sorted)
  }
  return columns
}

/** Of a link in a head, what it sorts by. */
export function sortIn({ href }: { readonly href?: string | undefined }): string {
  return (href === undefined ? undefined : /[?&](?:sort=[0-9]|order_by=[a-z]{1,16})\b/i.exec(href)?.[0].slice(1)) ?? ''
}

/** Whether what is not told would be taken for nothing. */
export function lacksColumns(columns: ReadonlyMap<number, Column>): boolean {
  const known = new Set(columns.values())
  return neededColumns.some((column) => !known.has(column) && (column === 'size' || !known.has('swarm')))
}

/** The id behind a link to a torrent's page. */
export type TorrentIdIn = (href: string | undefined) => string | undefined

export function torrentIdIn(href: string | undefined): string | undefined {
  const at = href === undefined ? -1 : href.indexOf('details.php?')
  if (href === undefined || at === -1) return undefined
  // As nearly all links are: the id comes first, and alone.
  const start = at + 'details.php?id='.length
  if (at === 0 && href.startsWith('id=', start - 3) && !href.includes('&id=')) return digitsAt(href, start)
  return /(?:^|[^a-z])details\.php\?(?:[^#]{0,200}&)?id=([0-9]{1,18})/i.exec(href)?.[1]
}

/** As many as an id has, and what comes behind them aside. */
function digitsAt(text: string, start: number): string | undefined {
  let end = start
  while (end < start + 18 && isDigit(text.charCodeAt(end))) end += 1
  return end === start ? undefined : text.slice(start, end)
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** The same where a site has its torrents' pages elsewhere. */
export function torrentIdAt(page: string | undefined): TorrentIdIn {
  if (page === undefined) return torrentIdIn
  const link = new RegExp(
    `(?:^|/)${page.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[?&](?:[^#]{0,200}&)?id=([0-9]{1,18})(?![^&#])`,
  )
  return (href) => (href?.includes(page) === true ? link.exec(href)?.[1] : undefined)
}

/** Until when a torrent is pinned to the top of the list is told beside its name too, and ends no promotion. */
export function isPin(classText: string | undefined, title: string | undefined): boolean {
  return /sticky/i.test(classText ?? '') || /sticky|置顶|置頂/i.test(title ?? '')
}

const noClasses: readonly string[] = []

export function classesIn(text: string | undefined): readonly string[] {
  if (text === undefined) return noClasses
  return /\s/.test(text) ? text.split(/\s+/) : [text]
}

/** By its class, or by a colour or corners behind a span without one, which is how the software itself writes tags. */
export function isTagLabel(name: string, classText: string | undefined, style: string | undefined): boolean {
  if (classText === undefined)
    return name === 'span' && style !== undefined && /(?:background(?:-color)?|border-radius)\s*:/i.test(style)
  return classText.includes('tag') && classesIn(classText).some((one) => one === 'tag' || one === 'tags')
}

/** What of a mark tells about the row. */
export interface RowMark {
  readonly name: string
  readonly alt: string | undefined
  readonly class: string | undefined
  readonly style: string | undefined
  readonly onmouseover: string | undefined
}

/** Raw texts of one row, gathered in the order of the page. */
export class RowFacts {
  torrentIdIn: TorrentIdIn = torrentIdIn
  torrentId = ''
  /** What the link says in its title, and as its text. */
  title = ''
  text = ''
  subtitle = ''
  readonly texts: Partial<Record<Column, string>> = {}
  /** What the picture that stands for the category is called. */
  category = ''
  timeUnix: number | undefined
  /** When the discount ends, if there is one. */
  endUnix: number | undefined
  discount: Discount | undefined
  /** What the colour of the row says, which a picture or a word says better. */
  colour: Discount | undefined
  hasHr = false
  isPinned = false
  readonly tags: string[] = []
  #tooltipEndUnix: number | undefined
  #imdbId: string | undefined
  #doubanId: string | undefined
  #downloadKey: string | undefined
  /** It leads to several torrents, or has a figure below another's head: what its figures are of is not known. */
  #isMixed = false

  /** Whether it is a tag. */
  noteMark(mark: RowMark, utcOffsetMinutes: number): boolean {
    const { name, class: classText } = mark
    if (classText === undefined) {
      const isLabel = mark.style !== undefined && isTagLabel(name, classText, mark.style)
      if (isLabel) this.#noteLabel(mark, utcOffsetMinutes)
      return isLabel
    }
    const isWord = name === 'font' || name === 'img'
    if (!isWord && !markedClass.test(classText)) return false
    for (const one of classesIn(classText)) {
      const discount = discountIn(one, isWord)
      if (discount !== undefined && one.endsWith('_bg')) {
        this.colour ??= discount
        this.#noteTooltip(mark.onmouseover, utcOffsetMinutes)
      } else if (discount !== undefined) {
        // A mark may say each half of it by a class of its own.
        this.discount = this.discount === 'FREE' && discount === '2XUP' ? '2XFREE' : (this.discount ?? discount)
        this.#noteTooltip(mark.onmouseover, utcOffsetMinutes)
      }
      this.hasHr ||= hitAndRunClass.test(one)
      this.isPinned ||= one === 'sticky'
    }
    return isTagLabel(name, classText, mark.style)
  }

  /** A label may be a promotion's: some sites write them as the software writes its tags. */
  #noteLabel({ alt, onmouseover }: RowMark, utcOffsetMinutes: number): void {
    const told = onmouseover === undefined ? undefined : discountInTooltip.exec(onmouseover)?.[1]
    const discount = discountByName.get(alt?.toLowerCase() ?? '') ?? discountByWordClass.get(told ?? '')
    if (discount === undefined) return
    this.discount ??= discount
    this.#noteTooltip(onmouseover, utcOffsetMinutes)
  }

  /** Where only a tooltip says when the promotion ends, it is a text in a script in an attribute. */
  #noteTooltip(script: string | undefined, utcOffsetMinutes: number): void {
    const title = script === undefined ? undefined : /\btitle=["']?([0-9T: .-]{10,40})/.exec(script)?.[1]
    if (title !== undefined) this.#tooltipEndUnix ??= readTime(title, utcOffsetMinutes)
  }

  notePicture(alt: string | undefined, title: string | undefined): void {
    const words = alt ?? title
    if (words === undefined || words === '') return
    this.hasHr ||= hitAndRunWords.test(words)
    // Most pictures are named in another writing.
    if (words.charCodeAt(0) >= 0x400 && this.discount === undefined)
      this.discount = discountByPicture.find(([name]) => name.test(words))?.[1]
  }

  noteHref(href: string): void {
    const torrentId = this.torrentId === '' ? undefined : this.torrentIdIn(href)
    this.#isMixed ||= torrentId !== undefined && torrentId !== this.torrentId
    if (href.includes('imdb.')) this.#imdbId ??= /imdb\.com\/title\/(tt[0-9]{5,10})/.exec(href)?.[1]
    if (href.includes('douban.')) this.#doubanId ??= /douban\.com\/subject\/([0-9]{1,12})/.exec(href)?.[1]
    this.#downloadKey ??= /[?&]((?:downhash|passkey)=[^&\s"']{1,256})/.exec(href)?.[1]
  }

  /**
   * The software's own links to who has it say below which head their cell belongs. They may as well stand behind the name,
   * or in a column for both.
   */
  noteCountLink(href: string, column: Column | undefined, isBehindName: boolean): void {
    if (isBehindName || (column !== undefined && !countColumns.has(column))) return
    const told = countLinks.find(([, pattern]) => pattern.test(href))?.[0]
    this.#isMixed ||= told !== undefined && told !== column
  }

  #isPromotion(tag: string): boolean {
    return this.discount !== undefined && discountByName.has(tag.toLowerCase())
  }

  noteTag(text: string): void {
    if (this.tags.length < siteTagsMax) this.tags.push(text)
  }

  /** Undefined for a row that does not tell what every torrent has: nothing is taken for zero. */
  toHit(utcOffsetMinutes: number): SearchHit | undefined {
    const { texts } = this
    const discount = this.discount ?? this.colour ?? 'NONE'
    if (this.#isMixed || this.torrentId === '') return undefined
    // A cell without anything is one too many: what stands beside it may be below another's head.
    if (texts.snatched?.trim() === '') return undefined
    const both = texts.swarm === undefined ? undefined : bothCounts.exec(texts.swarm)
    const sizeBytes = sizeIn(texts.size)
    const seeders = countIn(both?.[1] ?? texts.seeders)
    const leechers = countIn(both?.[2] ?? texts.leechers)
    if (sizeBytes === undefined || seeders === undefined || leechers === undefined) return undefined
    const subtitle = textIn(this.subtitle)
    const category = textIn(this.category || texts.category)
    const snatched = countIn(texts.snatched)
    const uploadedAtUnix = this.timeUnix ?? readTime(textIn(texts.time), utcOffsetMinutes)
    return {
      torrentId: this.torrentId,
      title: nameOf(textIn(this.title), textIn(this.text)),
      subtitle: subtitle || undefined,
      sizeBytes,
      seeders,
      leechers,
      snatched,
      uploadedAtUnix,
      category: category || undefined,
      tags: this.tags.map(textIn).filter((tag) => tag !== '' && !this.#isPromotion(tag)),
      discount,
      discountEndAtUnix: discount === 'NONE' ? undefined : (this.#tooltipEndUnix ?? this.endUnix),
      hasHr: this.hasHr,
      imdbId: this.#imdbId,
      doubanId: this.#doubanId,
      downloadKey: this.#downloadKey,
    }
  }
}

const bothCounts = /^\s*([0-9][0-9,]{0,12})\s{0,4}[|/]\s{0,4}([0-9][0-9,]{0,12})\s*$/

/** A cell of a size begins with it, and so does one of a count. */
function sizeIn(text = ''): number | undefined {
  return /^\s*[0-9]/.test(text) ? leadingSize(text) : undefined
}

function countIn(text = ''): number | undefined {
  if (text !== '' && text.length <= 9 && digitsAt(text, 0)?.length === text.length) return Number(text)
  return /^\s*[0-9]/.test(text) ? readCount(text) : undefined
}

/** The title has the whole name of which the text may be the beginning, or both ends. A title that is something else is a hint. */
function nameOf(title: string, text: string): string {
  if (title === '' || text === '') return title || text
  if (title.startsWith(text)) return title
  const [start = '', end = ''] = text.split(/\.{3}|…/, 2)
  if (end !== '' && title.startsWith(start) && title.endsWith(end)) return title
  const shown = text.replace(/(?:\.{2,}|…)$/, '')
  if (title.startsWith(shown) || shown.startsWith(title)) return title
  const [one, other] = [title.replace(/[\s._-]/g, ''), shown.replace(/[\s._-]/g, '')]
  return one.startsWith(other) || other.startsWith(one) ? title : text
}

function textIn(text = ''): string {
  return text === '' ? '' : plainText(text, siteTextCharactersMax)
}

/**
 * A member sees promotions as pictures, as words or as colours, and some forks colour what is pinned or bought as if it were
 * promoted: where a list has any mark, a colour alone is no promotion. A change that many sites took over gives all that is
 * pinned the colour of a double free promotion: one that is pinned and has another colour, or none, shows that it is not in use,
 * and so does a list in which all the others have it too, as where it is on for the whole site.
 */
export class ListPromotions {
  readonly #coloured = new Set<SearchHit>()
  readonly #colouredPins = new Set<SearchHit>()
  #areMarked = false
  #isPinOfAnyColour = false
  #unpinned = 0
  #isUnpinnedOfAnyColour = false

  noted(facts: RowFacts, hit: SearchHit | undefined): SearchHit | undefined {
    this.#areMarked ||= facts.discount !== undefined
    if (hit === undefined) return undefined
    const isDoubleFree = facts.colour === '2XFREE'
    if (facts.isPinned) this.#isPinOfAnyColour ||= !isDoubleFree
    else {
      this.#unpinned += 1
      this.#isUnpinnedOfAnyColour ||= !isDoubleFree
    }
    if (facts.discount !== undefined || facts.colour === undefined) return hit
    this.#coloured.add(hit)
    if (facts.isPinned) this.#colouredPins.add(hit)
    return hit
  }

  settle(hits: SearchHit[]): SearchHit[] {
    const areAlike = this.#unpinned >= siteRowsAlikeMin && !this.#isUnpinnedOfAnyColour
    const ofPins = this.#isPinOfAnyColour || areAlike ? undefined : this.#colouredPins
    const unpromoted = this.#areMarked ? this.#coloured : ofPins
    if (unpromoted === undefined || unpromoted.size === 0) return hits
    return hits.map((hit) => (unpromoted.has(hit) ? { ...hit, discount: 'NONE', discountEndAtUnix: undefined } : hit))
  }
}
