/** What the line of a release says about its seasons and episodes, and where it says so. */
import { inOrder, type Mark, markOf, matchesOf } from './release-marks.ts'

/** Numbers from one to the other, both among them. */
export interface NumberSpan {
  readonly from: number
  readonly to: number
}

export interface Numbering {
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

/** One of these signs is in each of what is written in Han, and in few of all other lines. */
const hanSigns = /[第全更共集话話回完]/
const ofHan: ReadonlySet<RegExp> = new Set([
  hanSeason,
  allSeasons,
  hanEpisode,
  hanSpan,
  hanSoFar,
  hanComplete,
  hanTotal,
])

const completeWords = /(?<![a-z])(?:complete|fin)(?![a-z])/

/** What may follow a first episode: another one, or the end of a span. */
const moreEpisodes = /[ ._]?(?:[-~&+][ ._]?)?(?:s[0-9]{1,2})?ep?([0-9]{1,4})|[ ._]?[-~][ ._]?([0-9]{1,3})(?![a-z0-9])/y
const moreSeasons = /[ ._]?[-~][ ._]?(?:s|season[ ._]?)([0-9]{1,2})(?![a-z0-9])|[-~]([0-9]{1,2})(?![a-z0-9])/y

interface NumberMark extends Mark {
  readonly numbers: readonly number[]
}
const none: readonly NumberMark[] = []

export function readNumbering(text: string): Numbering {
  const marks: Mark[] = []
  const hasHan = hanSigns.test(text)
  const all = (pattern: RegExp): readonly NumberMark[] => {
    if (!hasHan && ofHan.has(pattern)) return none
    const matches = matchesOf(pattern, text)
    if (matches.length === 0) return none
    const found = matches.map(numberMarkOf)
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

function numberMarkOf(match: RegExpExecArray): NumberMark {
  const numbers: number[] = []
  for (let group = 1; group < match.length; group += 1) {
    const written = match[group]
    if (written !== undefined) numbers.push(numberOf(written))
  }
  return { ...markOf(match), numbers }
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
