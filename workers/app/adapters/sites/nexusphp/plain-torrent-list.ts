/**
 * Reads the list of an ordinary page in one pass over its marks, without a tree: several times as fast, and a search
 * reads the pages of all sites at once. Ordinary means that every element of the table is one of a few and ends where it
 * should, so that there is one way to read it. Anything else is left to the reader that builds the tree; both give the
 * same results, which a test holds them to.
 */
import type { SearchHit, SiteProfile } from '../../../core/site.ts'
import { readTime } from '../../../core/site-numbers.ts'
import { siteHitsMax } from '../../../limits.ts'
import { PageMarks } from './page-marks.ts'
import {
  areMixed,
  type Column,
  classesIn,
  columnsOf,
  isPin,
  ListPromotions,
  lacksColumns,
  RowFacts,
  sortIn,
  torrentIdIn,
} from './torrent-row.ts'

/** Undefined where the page is not ordinary, or has no torrents. */
export function readPlainTorrentList(text: string, profile: SiteProfile): SearchHit[] | undefined {
  const { torrents, title } = profile.selectors
  if (torrents !== undefined || title !== undefined) return undefined
  const reader = new PlainListReader(text, profile.utcOffsetMinutes)
  return reader.isWhole && reader.hits.length > 0 ? reader.promotions.settle(reader.hits) : undefined
}

type Part = 'table' | 'section' | 'row' | 'cell' | 'inline' | 'void'

/** The elements that tables of torrents are made of. `p` and lists are not among them: they end one another unsaid. */
const namesOf: Readonly<Record<Part, readonly string[]>> = {
  table: ['table'],
  section: ['tbody', 'thead'],
  row: ['tr'],
  cell: ['td', 'th'],
  inline: ['a', 'b', 'strong', 'i', 'em', 'u', 's', 'font', 'span', 'div', 'center', 'nobr', 'small'],
  void: ['img', 'br', 'hr', 'input'],
}
const elements: ReadonlyMap<string, Known> = new Map(
  (Object.keys(namesOf) as Part[]).flatMap((part) => namesOf[part].map((name) => [name, { name, part }])),
)
const parents: Readonly<Record<Part, readonly Part[]>> = {
  table: ['cell', 'inline'],
  section: ['table'],
  row: ['table', 'section'],
  cell: ['row'],
  inline: ['cell', 'inline'],
  void: ['cell', 'inline'],
}
const listTable: Known = { name: 'table', part: 'table' }
/** Far below the bound of the tree, so that the two never differ by it. */
const depthMax = 32

interface Known {
  readonly name: string
  readonly part: Part
}

class PlainListReader {
  /**
   * The runtime knows objects of a class by their layout, and forgets it at a collection that finds none of them alive;
   * what it compiled for them goes too. After a search all readers are gone, so one of each class stays.
   */
  static readonly kept: readonly object[] = [new PlainListReader('', 0), new RowFacts()]

  readonly hits: SearchHit[] = []
  isWhole = false
  readonly promotions = new ListPromotions()
  readonly #marks: PageMarks
  readonly #utcOffsetMinutes: number
  #isOver = false

  /** What is open, from the list's own table inwards; empty before it. */
  readonly #open: Known[] = []
  /** How deep the row's own elements lie; 0 outside rows. */
  #rowDepth = 0
  #rows = 0
  #position = -1
  readonly #headCells: string[] = []

  /** Of the first row: what the columns are called. */
  #heads: string[] | undefined = []
  #width = 0
  #columns: ReadonlyMap<number, Column> = new Map()
  #column: Column | undefined

  #facts = new RowFacts()
  /** Of the cell: the first time in a title, and the first that is not the torrent's own name. */
  #timeUnix: number | undefined
  #endUnix: number | undefined
  #hasPicture = false
  #hasLink = false
  /** Depths of what is being read; 0 for nothing. */
  #linkDepth = 0
  #tagDepth = 0
  #tagText = ''
  /** Of the element in which a line break would begin the subtitle, of the one where it began, of a tag within it. */
  #breakDepth = 0
  #isBesideParent = false
  #subtitleDepth = 0
  #skippedDepth = 0

  constructor(text: string, utcOffsetMinutes: number) {
    this.#marks = new PageMarks(text)
    this.#utcOffsetMinutes = utcOffsetMinutes
    while (!this.#isOver) this.#readMark()
  }

  #readMark(): void {
    switch (this.#marks.next()) {
      case 'open':
        if (this.#open.length === 0) this.#openBefore(this.#marks.name)
        else this.#openInside(this.#marks.name)
        break
      case 'close':
        this.#close(this.#marks.name)
        break
      case 'text':
        if (this.#isTextWanted()) this.#take(this.#marks.text)
        else if (this.#isBesideCells() && this.#marks.text.trim() !== '') this.#stop(false)
        break
      case 'comment':
        if (this.#subtitleDepth > 0 && this.#open.length === this.#subtitleDepth) this.#facts.subtitle += ' '
        break
      case 'declaration':
        if (this.#open.length > 0) this.#stop(false)
        break
      default:
        this.#stop(false)
    }
  }

  /** Nothing after this is read: the list is complete, or not ordinary. */
  #stop(isWhole: boolean): void {
    this.isWhole = isWhole
    this.#isOver = true
  }

  #openBefore(name: string): void {
    // Inside these, markup is read by rules of their own.
    if (name === 'svg' || name === 'math') this.#stop(false)
    else if (name === 'table' && classesIn(this.#marks.class).includes('torrents')) this.#open.push(listTable)
  }

  #openInside(name: string): void {
    const element = elements.get(name)
    const parent = this.#open.at(-1)?.part
    if (element === undefined || parent === undefined || !parents[element.part].includes(parent)) {
      this.#stop(false)
      return
    }
    const { part } = element
    if (this.#rowDepth > 0) this.#note(name, part)
    if (part === 'void') return
    this.#open.push(element)
    const depth = this.#open.length
    if (depth > depthMax) {
      this.#stop(false)
      return
    }
    if (part === 'row' && this.#rowDepth === 0) this.#beginRow(depth)
    else if (part === 'cell' && depth === this.#rowDepth + 1) this.#beginCell(name)
  }

  #close(name: string): void {
    const depth = this.#open.length
    const last = this.#open.at(-1)
    if (last === undefined) return
    if (last.name !== name) {
      this.#stop(false)
      return
    }
    this.#open.pop()
    if (depth === 1) {
      this.#stop(true)
      return
    }
    if (this.#rowDepth === 0) return
    this.#noteEnd(depth)
    if (depth === this.#rowDepth + 1) this.#endCell()
    else if (depth === this.#rowDepth) this.#endRow()
  }

  #beginRow(depth: number): void {
    this.#rowDepth = depth
    this.#position = -1
    this.#facts = new RowFacts()
    this.#facts.noteMark(this.#marks, this.#utcOffsetMinutes)
  }

  #beginCell(name: string): void {
    this.#position += 1
    this.#timeUnix = undefined
    this.#endUnix = undefined
    this.#hasPicture = false
    this.#hasLink = false
    if (this.#heads !== undefined) {
      this.#heads.push('')
      this.#headCells.push(name)
    }
    this.#column = this.#columns.get(this.#position)
    if (this.#column !== undefined) this.#facts.texts[this.#column] = ''
  }

  #endCell(): void {
    if (this.#column === 'time') this.#facts.timeUnix = this.#timeUnix
    if (this.#hasLink) this.#facts.endUnix = this.#endUnix
    this.#column = undefined
    this.#breakDepth = 0
  }

  #endRow(): void {
    this.#rowDepth = 0
    if (this.#heads !== undefined) {
      this.#width = this.#heads.length
      this.#columns = columnsOf(this.#heads)
      this.#heads = undefined
      if (lacksColumns(this.#columns) || areMixed(this.#headCells)) this.#stop(false)
      return
    }
    this.#rows += 1
    // With a cell more or less, what stands below a head is not known.
    const read = this.#position + 1 === this.#width ? this.#facts.toHit(this.#utcOffsetMinutes) : undefined
    const hit = this.promotions.noted(this.#facts, read)
    if (hit !== undefined) this.hits.push(hit)
    if (this.#rows === siteHitsMax) this.#stop(true)
  }

  /** What an element of a row says by itself. */
  #note(name: string, part: Part): void {
    const { href, title, alt, class: classText } = this.#marks
    const depth = this.#open.length + 1
    const isOwnCell = depth === this.#rowDepth + 1
    if (href !== undefined) this.#noteLink(href, isOwnCell || part === 'void', depth)
    if (name === 'img') this.#notePicture()
    // Date and time of day may be two lines.
    else if (name === 'br' && this.#column === 'time') this.#facts.texts.time += ' '
    if (!isOwnCell) {
      if (this.#heads !== undefined)
        this.#heads[this.#position] += ` ${alt ?? ''} ${title ?? ''} ${classText ?? ''} ${sortIn({ href })}`
      if (title !== undefined) this.#noteTitle(title, this.#linkDepth === depth)
    }
    const isTag = this.#facts.noteMark(this.#marks, this.#utcOffsetMinutes)
    if (isTag) this.#noteTag(part, depth)
    // Tags may stand together in an element of their own.
    if (isTag && part !== 'void' && this.#subtitleDepth > 0 && this.#skippedDepth === 0) this.#skippedDepth = depth
    if (depth - 1 === this.#subtitleDepth) {
      this.#facts.subtitle += ' '
    } else if (name === 'br' && depth - 1 === this.#breakDepth) {
      this.#subtitleDepth = this.#breakDepth
      this.#breakDepth = 0
    }
  }

  #noteLink(href: string, isNoPlaceForOne: boolean, depth: number): void {
    this.#facts.noteHref(href)
    this.#facts.noteCountLink(href, this.#column, this.#hasLink)
    if (this.#facts.torrentId !== '') return
    const torrentId = torrentIdIn(href)
    if (torrentId === undefined) return
    if (isNoPlaceForOne) {
      this.#stop(false)
      return
    }
    this.#facts.torrentId = torrentId
    this.#facts.title = this.#marks.title ?? ''
    this.#linkDepth = depth
    this.#hasLink = true
  }

  #notePicture(): void {
    const { title, alt } = this.#marks
    this.#facts.notePicture(alt, title)
    if (this.#column === 'category' && !this.#hasPicture) this.#facts.category = title || alt || ''
    this.#hasPicture = true
  }

  #noteTitle(title: string, isLink: boolean): void {
    if (this.#endUnix !== undefined) return
    const time = readTime(title, this.#utcOffsetMinutes)
    this.#timeUnix ??= time
    if (!isLink && time !== undefined && !isPin(this.#marks.class, title)) this.#endUnix = time
  }

  #noteTag(part: Part, depth: number): void {
    if (part === 'void') {
      this.#facts.noteTag('')
      return
    }
    // One within another: their texts are the tree's matter.
    if (this.#tagDepth > 0) {
      this.#stop(false)
      return
    }
    this.#tagDepth = depth
    this.#tagText = ''
  }

  /** An element of a row ended that lay at this depth. */
  #noteEnd(depth: number): void {
    if (depth === this.#tagDepth) {
      this.#facts.noteTag(this.#tagText)
      this.#tagDepth = 0
    }
    if (depth === this.#skippedDepth) this.#skippedDepth = 0
    if (depth === this.#subtitleDepth) this.#subtitleDepth = 0
    else if (depth - 1 === this.#subtitleDepth) this.#facts.subtitle += ' '
    if (depth === this.#linkDepth) {
      this.#linkDepth = 0
      // A link without a word, as around a picture: which other one names the torrent is the tree's matter.
      if (this.#facts.title === '' && this.#facts.text.trim() === '') this.#stop(false)
      this.#breakDepth = depth - 1
      this.#isBesideParent = false
    } else if (depth === this.#breakDepth) {
      // The link may stand in bold: then the break is beside the bold text.
      this.#breakDepth = this.#isBesideParent ? 0 : depth - 1
      this.#isBesideParent = true
    }
  }

  /** A cell there lost its mark, and what follows stands below other heads. */
  #isBesideCells(): boolean {
    return this.#rowDepth > 0 && this.#open.length === this.#rowDepth
  }

  #isTextWanted(): boolean {
    if (this.#rowDepth === 0 || this.#isBesideCells()) return false
    return (
      this.#column !== undefined ||
      this.#tagDepth > 0 ||
      this.#subtitleDepth > 0 ||
      this.#linkDepth > 0 ||
      this.#heads !== undefined
    )
  }

  #take(text: string): void {
    if (this.#column !== undefined) this.#facts.texts[this.#column] += text
    if (this.#tagDepth > 0) this.#tagText += text
    if (this.#subtitleDepth > 0 && this.#skippedDepth === 0) this.#facts.subtitle += text
    if (this.#linkDepth > 0) this.#facts.text += text
    if (this.#heads !== undefined) this.#heads[this.#position] += text
  }
}
