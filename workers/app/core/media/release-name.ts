/**
 * Reads what a site's title says about a release: names it may go by, year, season, episodes, quality. Titles are written
 * by strangers in many habits, so everything is optional and nothing is trusted. Every pattern has bounded repeats only:
 * time grows with the text and no faster.
 */
import type { ReleaseSource, Resolution } from '../vocabulary.ts'

/** Numbers from one to the other, both among them. */
export interface NumberSpan {
  readonly from: number
  readonly to: number
}

/** What a name says about picture and origin. */
export interface ReleaseQuality {
  readonly resolution?: Resolution
  readonly source?: ReleaseSource
  readonly codec?: 'h264' | 'h265' | 'av1' | 'vp9' | 'vc1' | 'mpeg2' | 'xvid'
  readonly isHdr?: true
  readonly isDolbyVision?: true
  readonly group?: string
}

export interface ReleaseName {
  /** Names it may go by, folded: of title and subtitle, in any script. */
  readonly names: readonly string[]
  /** The name with its year as a part of it, folded: some are called so. */
  readonly nameWithYear?: string
  readonly year?: number
  readonly seasons?: NumberSpan
  /** Absent for a film, and for all of a season. */
  readonly episodes?: NumberSpan
  /** Says itself that nothing is missing. */
  readonly isComplete: boolean
  /** Filmed from a screen, or not meant to be published. */
  readonly isLeaked: boolean
  readonly quality: ReleaseQuality
}

/** What two names that mean the same have in common: letters and digits, without case, width and accents. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('&', 'and')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

export function readReleaseName(title: string, subtitle = ''): ReleaseName {
  const main = readLine(title)
  const other = readLine(subtitle)
  const seasons = main.seasons ?? other.seasons
  const episodes = main.episodes ?? (main.isComplete ? undefined : other.episodes)
  const year = main.year ?? other.year
  const names = [...new Set([...main.names, ...other.names])].slice(0, namesMax)
  return {
    names,
    ...(main.nameWithYear === undefined ? {} : { nameWithYear: main.nameWithYear }),
    ...(year === undefined ? {} : { year }),
    ...(seasons === undefined ? {} : { seasons }),
    ...(episodes === undefined ? {} : { episodes }),
    isComplete: episodes === undefined && (main.isComplete || other.isComplete),
    isLeaked: main.isLeaked || other.isLeaked,
    quality: { ...other.quality, ...main.quality },
  }
}

const namesMax = 16
const letters = /[\p{L}\p{N}]/u

/** A place in the line that is no part of a name. */
interface Mark {
  readonly start: number
  readonly end: number
}

function readLine(written: string): ReleaseName {
  const raw = written.normalize('NFKC').replace(fileEnding, '$1')
  const text = raw.toLowerCase()
  const numbering = readNumbering(text)
  const resolution = readResolution(text)
  const strong = inOrder([...numbering.marks, ...resolution.marks])
  const year = readYear(text, strong[0]?.start)
  const surely = inOrder(year === undefined ? strong : [...strong, year])
  const nameEnd = surely[0]?.start
  const source = readSource(text, nameEnd ?? 0)
  const group = readGroup(raw)
  const rest = text.slice(nameEnd ?? 0)
  const technicalFrom = inOrder([...resolution.marks, ...source.marks])[0]?.start ?? text.length
  const nameWithYear =
    year === undefined || (strong[0]?.start ?? -1) < year.end ? undefined : foldName(text.slice(0, year.end))
  return {
    names: readNames(text, inOrder([...surely, ...source.marks]), technicalFrom),
    ...(nameWithYear === undefined ? {} : { nameWithYear }),
    ...(year === undefined ? {} : { year: year.value }),
    ...(numbering.seasons === undefined ? {} : { seasons: numbering.seasons }),
    ...(numbering.episodes === undefined ? {} : { episodes: numbering.episodes }),
    isComplete: numbering.isComplete,
    isLeaked: leakedWords.test(text.slice(nameEnd ?? text.length)) || hanLeakedWords.test(text),
    quality: {
      ...qualityOf(resolution.value, source.value),
      ...codecOf(rest),
      ...(hdrWords.test(rest) ? { isHdr: true as const } : {}),
      ...(dolbyVisionWords.test(rest) ? { isDolbyVision: true as const } : {}),
      ...(group === undefined ? {} : { group }),
    },
  }
}

function inOrder<M extends Mark>(marks: readonly M[]): M[] {
  return [...marks].sort((left, right) => left.start - right.start)
}

// Seasons and episodes

interface Numbering {
  readonly seasons?: NumberSpan
  readonly episodes?: NumberSpan
  readonly isComplete: boolean
  readonly marks: readonly Mark[]
}

const han = '[0-9]{1,4}|[零〇一二两三四五六七八九十百]{1,5}'
const until = '[-~〜–—至到]'
const part = '[集话話回]'

const seasonAndEpisode = /(?<![a-z0-9])s([0-9]{1,2})[ ._-]{0,2}ep?[ ._]?([0-9]{1,4})(?:v[0-9])?/g
const crossedNumbers = /(?<![a-z0-9])([0-9]{1,2})x([0-9]{2,3})(?![a-z0-9])/g
const seasonAlone = /(?<![a-z0-9])(?:s|seasons?[ ._]?)([0-9]{1,2})(?![a-z0-9])/g
const ordinalSeason = /(?<![a-z0-9])([0-9]{1,2})(?:st|nd|rd|th)[ ._]season(?![a-z])/g
const hanSeason = new RegExp(`第 ?(${han}) ?(?:${until} ?第? ?(${han}) ?)?季`, 'g')
const allSeasons = new RegExp(`全 ?(${han}) ?季`, 'g')
const episodeAlone =
  /(?<![a-z0-9])(?:episodes?[ ._]?([0-9]{1,4})|ep[ ._]?([0-9]{1,4})|e([0-9]{2,4}))(?:v[0-9])?(?![a-z0-9])/g
const hanEpisode = new RegExp(`第 ?(${han}) ?(?:${part}? ?${until} ?第? ?(${han}) ?)?${part}`, 'g')
const hanSpan = new RegExp(`(?<![0-9])([0-9]{1,4}) ?${until} ?([0-9]{1,4}) ?${part}`, 'g')
const hanSoFar = new RegExp(`更新?[至到] ?第? ?(${han}) ?${part}`, 'g')
const hanComplete = new RegExp(`全 ?(${han}) ?${part}|(${han}) ?${part}全|全${part}|完结|完結`, 'g')
/** How many there will be, which says nothing about how many are here. */
const hanTotal = new RegExp(`共 ?(?:${han}) ?${part}`, 'g')
/** As series from Japan are numbered: behind a dash, or alone in brackets. */
const dashedNumber = /(?<= - )([0-9]{2,3})(?:v[0-9])?(?:[-~]([0-9]{2,3}))?(?=[ [(]|$)/g
const bracketedNumber = /(?<=[[【])([0-9]{2,3})(?:v[0-9])?(?:[-~]([0-9]{2,3}))?(?: ?(?:end|fin|完))?(?=[\]】])/g

/** What may follow a first episode: another one, or the end of a span. */
const moreEpisodes = /[ ._]?(?:[-~&+][ ._]?)?(?:s[0-9]{1,2})?ep?([0-9]{1,4})|[ ._]?[-~][ ._]?([0-9]{1,3})(?![a-z0-9])/y
const moreSeasons = /[ ._]?[-~][ ._]?(?:s|season[ ._]?)([0-9]{1,2})(?![a-z0-9])|[-~]([0-9]{1,2})(?![a-z0-9])/y

function readNumbering(text: string): Numbering {
  const marks: Mark[] = []
  const all = (pattern: RegExp) => {
    const found = [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      numbers: match
        .slice(1)
        .filter((number) => number !== undefined)
        .map(numberOf),
    }))
    for (const mark of found) marks.push(mark)
    return found
  }
  /** The first of them, with what follows it. */
  const spanned = (pattern: RegExp, more?: RegExp): NumberSpan | undefined => {
    const [first] = all(pattern)
    const [from, to] = first?.numbers ?? []
    if (first === undefined || from === undefined) return undefined
    const tail = more === undefined ? undefined : readTail(text, first.end, more)
    if (tail !== undefined) marks.push(tail)
    return spanOf(from, tail?.last ?? to ?? from)
  }

  const [joint] = inOrder([...all(seasonAndEpisode), ...all(crossedNumbers)])
  const [season, episode] = joint?.numbers ?? []
  const tail = joint === undefined ? undefined : readTail(text, joint.end, moreEpisodes)
  if (tail !== undefined) marks.push(tail)
  const soFar = firstTo(spanned(hanSoFar))
  // Each pattern is looked for, so that its places are known as no names; the first that says something counts.
  const seasons = [
    season === undefined ? undefined : spanOf(season, season),
    spanned(seasonAlone, moreSeasons),
    spanned(ordinalSeason),
    spanned(hanSeason),
    firstTo(spanned(allSeasons)),
  ]
  const episodes = [
    episode === undefined ? undefined : spanOf(episode, tail?.last ?? episode),
    soFar,
    spanned(episodeAlone, moreEpisodes),
    spanned(hanEpisode),
    spanned(hanSpan),
    spanned(dashedNumber),
    spanned(bracketedNumber),
  ]
  all(hanTotal)
  const [complete] = all(hanComplete)
  const saysComplete = complete !== undefined || completeWords.test(text.slice(inOrder(marks)[0]?.start ?? text.length))
  const knownSeasons = seasons.find((one) => one !== undefined)
  const knownEpisodes = episodes.find((one) => one !== undefined)
  // A span beside the word for all of it is all of it, unless the word tells of more.
  const isAllOfThem = ({ from, to }: NumberSpan) => from === 1 && to > 1 && to >= (complete?.numbers[0] ?? 0)
  const isWhole = saysComplete && soFar === undefined && (knownEpisodes === undefined || isAllOfThem(knownEpisodes))
  return {
    ...(knownSeasons === undefined ? {} : { seasons: knownSeasons }),
    ...(knownEpisodes === undefined || isWhole ? {} : { episodes: knownEpisodes }),
    isComplete: isWhole,
    marks,
  }
}

function readTail(text: string, from: number, more: RegExp): (Mark & { readonly last: number }) | undefined {
  let end = from
  let last: number | undefined
  for (;;) {
    more.lastIndex = end
    const match = more.exec(text)
    const number = match?.[1] ?? match?.[2]
    if (match === null || number === undefined) break
    last = numberOf(number)
    end = more.lastIndex
  }
  return last === undefined ? undefined : { start: from, end, last }
}

function spanOf(one: number, other: number): NumberSpan {
  return other < one ? { from: one, to: one } : { from: one, to: other }
}

function firstTo(span: NumberSpan | undefined): NumberSpan | undefined {
  return span === undefined ? undefined : spanOf(1, span.to)
}

const hanDigits = '零一二三四五六七八九'

/** Arabic, or as written in words up to some hundreds. */
function numberOf(written: string): number {
  if (/^[0-9]+$/.test(written)) return Number(written)
  let sum = 0
  let digit = 0
  for (const character of written) {
    if (character === '百' || character === '十') {
      sum += (digit === 0 ? 1 : digit) * (character === '百' ? 100 : 10)
      digit = 0
    } else digit = character === '两' ? 2 : Math.max(0, hanDigits.indexOf(character))
  }
  return sum + digit
}

// Picture, origin and year

const exactResolution =
  /(?<![0-9])(?:[0-9]{3,4}x)?(2160|1080|720|576|540|480)(?:[pi](?![a-z])|(?<=x[0-9]{3,4})(?![0-9]))/g
const namedResolution = /(?<![a-z0-9])(?:4k|uhd|fhd)(?![a-z0-9])/g

function readResolution(text: string): { readonly value?: Resolution; readonly marks: readonly Mark[] } {
  const exact = [...text.matchAll(exactResolution)]
  const marks = exact.map(markOf)
  const lines = exact[0]?.[1]
  if (lines !== undefined) return { value: resolutionOf(Number(lines)), marks }
  // Two letters may be a word of the name: at the very beginning they are.
  const named = [...text.matchAll(namedResolution)].filter(({ index }) => index > 1)
  const word = named[0]?.[0]
  return {
    ...(word === undefined ? {} : { value: word === 'fhd' ? ('1080p' as const) : ('2160p' as const) }),
    marks: named.map(markOf),
  }
}

function resolutionOf(lines: number): Resolution {
  return lines >= 2160 ? '2160p' : lines >= 1080 ? '1080p' : lines >= 720 ? '720p' : '480p'
}

function markOf(match: RegExpExecArray): Mark {
  return { start: match.index, end: match.index + match[0].length }
}

const yearPattern = /(?<![a-z0-9])((?:19|20)[0-9]{2})(?![a-z0-9])/g

/** The last one before what is surely no name, or the first after it. One that begins the line belongs to the name. */
function readYear(text: string, firstMark: number | undefined): (Mark & { readonly value: number }) | undefined {
  const years = [...text.matchAll(yearPattern)]
    .filter(({ index }) => letters.test(text.slice(Math.max(0, index - nameBeforeYear), index)))
    .map((match) => ({ ...markOf(match), value: Number(match[1]) }))
  return years.findLast(({ start }) => firstMark === undefined || start < firstMark) ?? years[0]
}

/** How far before a year a letter is looked for: brackets and spaces are all that may be between. */
const nameBeforeYear = 8

const sources: readonly (readonly [ReleaseSource, RegExp])[] = [
  ['remux', /(?<![a-z])(?:bd|web|uhd|hd)?[ ._-]?remux(?![a-z])/g],
  [
    'bluray',
    /(?<![a-z])(?:uhd)?blu[ ._-]?ray(?![a-z])|(?<![a-z])(?:uhd)?b[dr]-?rip(?![a-z])|(?<![a-z0-9])bd(?:mv|iso|25|50|66|100)?(?![a-z])|蓝光|藍光|原盘/g,
  ],
  ['web', /(?<![a-z])web(?:[ ._-]?(?:dl|rip|hd|cap))?(?![a-z])|(?<![a-z])hdrip(?![a-z])/g],
  ['hdtv', /(?<![a-z])(?:u?hdtv|pdtv|dsr|sat|tv)[ ._-]?(?:rip)?(?![a-z])/g],
  ['dvd', /(?<![a-z])dvd(?:[ ._-]?(?:rip|iso|5|9|r))?(?![a-z0-9])/g],
]

/** Behind the name only: each of these words may be part of one. */
function readSource(
  text: string,
  nameEnd: number,
): { readonly value?: ReleaseSource; readonly marks: readonly Mark[] } {
  const found = sources.flatMap(([source, pattern]) =>
    [...text.matchAll(pattern)].map((match) => ({ source, ...markOf(match) })),
  )
  const marks = found.filter(({ start }) => start > 0 && start >= nameEnd)
  const value = marks[0]?.source
  return { ...(value === undefined ? {} : { value }), marks }
}

function qualityOf(resolution: Resolution | undefined, source: ReleaseSource | undefined): ReleaseQuality {
  // A DVD has no more than that.
  const known = resolution ?? (source === 'dvd' ? ('480p' as const) : undefined)
  return { ...(known === undefined ? {} : { resolution: known }), ...(source === undefined ? {} : { source }) }
}

const codecs: readonly (readonly [NonNullable<ReleaseQuality['codec']>, RegExp])[] = [
  ['h265', /(?<![a-z])(?:x[ ._]?265|h[ ._]?265|hevc)(?![0-9])/],
  ['h264', /(?<![a-z])(?:x[ ._]?264|h[ ._]?264|avc)(?![a-z0-9])/],
  ['av1', /(?<![a-z])av1(?![0-9])/],
  ['vp9', /(?<![a-z])vp9(?![0-9])/],
  ['vc1', /(?<![a-z])vc-?1(?![0-9])/],
  ['mpeg2', /(?<![a-z])mpeg-?2(?![0-9])/],
  ['xvid', /(?<![a-z])(?:xvid|divx)(?![a-z])/],
]

function codecOf(rest: string): Pick<ReleaseQuality, 'codec'> {
  const codec = codecs.find(([_, pattern]) => pattern.test(rest))?.[0]
  return codec === undefined ? {} : { codec }
}

const completeWords = /(?<![a-z])(?:complete|fin)(?![a-z])/
const leakedWords =
  /(?<![a-z0-9])(?:(?:hd)?cam(?:rip)?|(?:hd)?ts|(?:hd)?tc|telesync|telecine|(?:dvd|bd)?scr|screener|workprint|r5)(?![a-z0-9])/
const hanLeakedWords = /枪版|槍版|抢先版|搶先版/
const hdrWords = /(?<![a-z])(?:hdr(?:10)?(?:\+|plus|p)?|hlg)(?![a-z])/
const dolbyVisionWords = /(?<![a-z0-9])(?:dv|dovi|dolby[ ._]?vision)(?![a-z0-9])|杜比视界/

/** Behind a group only: two letters of it mean something else elsewhere. */
const fileEnding = /(-[A-Za-z0-9@]{2,24})\.(?:mkv|mp4|avi|m2ts|ts|iso|torrent)$/
const groupPattern = /-([A-Za-z0-9@]{2,24})$/
/** Ends of compound words, which are no groups. */
const noGroups = /^(?:dl|ray|rip|hd|x|ma|[0-9]+|[es][0-9]+|[0-9]{3,4}[pi])$/i

function readGroup(raw: string): string | undefined {
  const group = groupPattern.exec(raw.slice(-groupReach))?.[1]
  return group === undefined || noGroups.test(group) ? undefined : group
}

const groupReach = 40

// Names

/** What parts two names, and what begins a list that holds none. */
const boundaries = /[[\]()【】{}《》「」『』/|｜\\\n\r\t]|(?<![a-z])a\.?k\.?a(?![a-z])/
const listed = /导演|導演|主演|演员|編劇|编剧|类型|類型|简介|簡介|字幕|国语|音轨/

/** Runs of words between marks, up to where the technical part begins: each as a whole, and each script of it. */
function readNames(text: string, marks: readonly Mark[], technicalFrom: number): string[] {
  const runs: string[] = []
  let at = 0
  for (const { start, end } of marks) {
    const run = text.slice(at, Math.max(at, start))
    if (letters.test(run)) runs.push(run)
    at = Math.max(at, end)
    // What comes before the first name is none of it: brackets with a quality.
    if (at >= technicalFrom && runs.length > 0) break
  }
  if (at < technicalFrom || runs.length === 0) runs.push(text.slice(at))
  const names: string[] = []
  for (const run of runs.flatMap((one) => one.split(boundaries))) {
    if (listed.test(run)) break
    names.push(foldName(run), ...partsByScript(run).map(foldName))
    if (names.length > namesMax * 4) break
  }
  return [...new Set(names.filter((name) => name !== ''))].slice(0, namesMax)
}

const cjk = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]/

/** A name in two scripts is two names; digits and signs stay with what stands before them. */
function partsByScript(run: string): string[] {
  const parts: string[] = []
  let current = ''
  let isCjk: boolean | undefined
  for (const character of run) {
    const kind = cjk.test(character) ? true : /\p{L}/u.test(character) ? false : isCjk
    if (isCjk !== undefined && kind !== isCjk) {
      parts.push(current)
      current = ''
    }
    current += character
    isCjk = kind
  }
  return parts.length === 0 ? [] : [...parts, current]
}
