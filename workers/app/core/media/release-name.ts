/**
 * Reads what a site's title says about a release: names it may go by, year, season, episodes, quality. Titles are written
 * by strangers in many habits, so everything is optional and nothing is trusted. Every pattern has bounded repeats only:
 * time grows with the text and no faster.
 */
import { inOneWidth } from '../one-width.ts'
import type { ReleaseSource, Resolution } from '../vocabulary.ts'
import { foldName } from './fold-name.ts'
import { inOrder, type Mark, markOf, matchesOf } from './release-marks.ts'
import { type NumberSpan, readNumbering } from './release-numbering.ts'

/** What a name says about picture and origin. */
export interface ReleaseQuality {
  readonly resolution?: Resolution
  readonly source?: ReleaseSource
  readonly codec?: 'h264' | 'h265' | 'av1' | 'vp9' | 'vc1' | 'mpeg2' | 'xvid'
  readonly isHdr?: true
  readonly isDolbyVision?: true
  readonly group?: string
}

export interface ReleaseFacts {
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

export interface ReleaseName extends ReleaseFacts {
  /** Names it may go by, folded: of title and subtitle, in any script. */
  readonly names: readonly string[]
  /** The name with its year as a part of it, folded: some are called so. */
  readonly nameWithYear?: string
}

export function readReleaseName(title: string, subtitle = ''): ReleaseName {
  const main = readLine(title)
  const other = readLine(subtitle)
  const names = [...new Set([...namesOf(main), ...namesOf(other)])].slice(0, namesMax)
  const nameWithYear = nameWithYearOf(main)
  return { names, ...(nameWithYear === undefined ? {} : { nameWithYear }), ...factsOf(main, other) }
}

/** All but what it may be called, which costs as much again. */
export function readReleaseFacts(title: string, subtitle = ''): ReleaseFacts {
  return factsOf(readLine(title), readLine(subtitle))
}

function factsOf(main: Line, other: Line): ReleaseFacts {
  const seasons = main.seasons ?? other.seasons
  const episodes = main.episodes ?? (main.isComplete ? undefined : other.episodes)
  const year = main.year ?? other.year
  return {
    ...(year === undefined ? {} : { year: year.value }),
    ...(seasons === undefined ? {} : { seasons }),
    ...(episodes === undefined ? {} : { episodes }),
    isComplete: episodes === undefined && (main.isComplete || other.isComplete),
    isLeaked: main.isLeaked || other.isLeaked,
    quality: { ...other.quality, ...main.quality },
  }
}

const namesMax = 16
const letters = /[\p{L}\p{N}]/u

/** One line, and what of it is no name. */
interface Line {
  readonly text: string
  /** Numbers and resolution, in their order. */
  readonly strong: readonly Mark[]
  readonly year: (Mark & { readonly value: number }) | undefined
  readonly resolutionMarks: readonly Mark[]
  readonly sourceMarks: readonly Mark[]
  readonly seasons: NumberSpan | undefined
  readonly episodes: NumberSpan | undefined
  readonly isComplete: boolean
  readonly isLeaked: boolean
  readonly quality: ReleaseQuality
}

function readLine(written: string): Line {
  const raw = inOneWidth(written).replace(fileEnding, '$1')
  const text = raw.toLowerCase()
  const numbering = readNumbering(text)
  const resolution = readResolution(text)
  const strong = inOrder([...numbering.marks, ...resolution.marks])
  const year = readYear(text, strong[0]?.start)
  const nameEnd = firstStart(strong, year)
  const source = readSource(text, nameEnd ?? 0)
  const group = readGroup(raw)
  const rest = text.slice(nameEnd ?? 0)
  return {
    text,
    strong,
    year,
    resolutionMarks: resolution.marks,
    sourceMarks: source.marks,
    seasons: numbering.seasons,
    episodes: numbering.episodes,
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

function firstStart([first]: readonly Mark[], year: Mark | undefined): number | undefined {
  if (first === undefined || year === undefined) return first?.start ?? year?.start
  return Math.min(first.start, year.start)
}

// Picture, origin and year

const exactResolution =
  /(?<![0-9])(?:[0-9]{3,4}x)?(2160|1080|720|576|540|480)(?:[pi](?![a-z])|(?<=x[0-9]{3,4})(?![0-9]))/g
const namedResolution = /(?<![a-z0-9])(?:4k|uhd|fhd)(?![a-z0-9])/g

function readResolution(text: string): { readonly value?: Resolution; readonly marks: readonly Mark[] } {
  const exact = matchesOf(exactResolution, text)
  const marks = exact.map(markOf)
  const lines = exact[0]?.[1]
  if (lines !== undefined) return { value: resolutionOf(Number(lines)), marks }
  // Two letters may be a word of the name: at the very beginning they are.
  const named = matchesOf(namedResolution, text).filter(({ index }) => index > 1)
  const word = named[0]?.[0]
  return {
    ...(word === undefined ? {} : { value: word === 'fhd' ? ('1080p' as const) : ('2160p' as const) }),
    marks: named.map(markOf),
  }
}

function resolutionOf(lines: number): Resolution {
  return lines >= 2160 ? '2160p' : lines >= 1080 ? '1080p' : lines >= 720 ? '720p' : '480p'
}

const yearPattern = /(?<![a-z0-9])((?:19|20)[0-9]{2})(?![a-z0-9])/g

/** The last one before what is surely no name, or the first after it. One that begins the line belongs to the name. */
function readYear(text: string, firstMark: number | undefined): (Mark & { readonly value: number }) | undefined {
  const years = matchesOf(yearPattern, text)
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
    matchesOf(pattern, text).map((match) => ({ source, ...markOf(match) })),
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
function namesOf({ text, strong, year, resolutionMarks, sourceMarks }: Line): string[] {
  const marks = inOrder([...strong, ...(year === undefined ? [] : [year]), ...sourceMarks])
  const technicalFrom = inOrder([...resolutionMarks, ...sourceMarks])[0]?.start ?? text.length
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

function nameWithYearOf({ text, strong, year }: Line): string | undefined {
  return year === undefined || (strong[0]?.start ?? -1) < year.end ? undefined : foldName(text.slice(0, year.end))
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
