/** What a program asks through the protocol, read from the parameters of its request. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/** Codes of the protocol. It has more; these are the ones that can come of what is served here. */
export const torznabCodes = {
  credentials: 100,
  privileges: 102,
  missing: 200,
  incorrect: 201,
  unknownFunction: 202,
  notOffered: 203,
  limited: 500,
  other: 900,
} as const
type TorznabCode = keyof typeof torznabCodes

export interface TorznabFault {
  readonly code: TorznabCode
  readonly description: string
}

export interface TorznabQuery {
  /** Empty: the newest. */
  readonly keyword: string
  readonly categories: readonly number[]
  /** With `tt`. Torrents that say they are another film are left out. */
  readonly imdbId: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface TorznabBounds {
  readonly itemsMax: number
  readonly offsetMax: number
  readonly keywordCharactersMax: number
  readonly categoriesMax: number
}

const searchFunctions = ['search', 'tvsearch', 'movie'] as const
type SearchFunction = (typeof searchFunctions)[number]
/** The protocol has them; no site is asked in this way. */
const notOffered = ['music', 'book', 'audio', 'details', 'getnfo', 'register', 'cart-add', 'cart-del', 'user']

const wrong = (description: string) => failWith<TorznabFault>({ code: 'incorrect', description })

export function readFunction(parameters: URLSearchParams): Result<SearchFunction | 'caps', TorznabFault> {
  const name = parameters.get('t')?.toLowerCase() ?? ''
  if (name === '') return failWith({ code: 'missing', description: 'Missing parameter (t)' })
  if (name === 'caps') return succeed(name)
  const known = searchFunctions.find((one) => one === name)
  if (known !== undefined) return succeed(known)
  return notOffered.includes(name)
    ? failWith({ code: 'notOffered', description: 'Function not available' })
    : failWith({ code: 'unknownFunction', description: 'No such function' })
}

export function readQuery(
  name: SearchFunction,
  parameters: URLSearchParams,
  bounds: TorznabBounds,
): Result<TorznabQuery, TorznabFault> {
  const textOf = (key: string) => parameters.get(key)?.trim() ?? ''
  const limit = textOf('limit') === '' ? bounds.itemsMax : wholeNumber(textOf('limit'))
  if (limit === undefined) return wrong('Incorrect parameter (limit)')
  const offset = textOf('offset') === '' ? 0 : wholeNumber(textOf('offset'))
  if (offset === undefined || offset > bounds.offsetMax) return wrong('Incorrect parameter (offset)')
  const categories =
    textOf('cat') === ''
      ? []
      : textOf('cat')
          .split(',')
          .map((one) => wholeNumber(one.trim()))
  if (categories.length > bounds.categoriesMax || categories.includes(undefined))
    return wrong('Incorrect parameter (cat)')
  const part = name === 'tvsearch' ? episodeWords(textOf('season'), textOf('ep')) : ''
  if (part === undefined) return wrong('Incorrect parameter (season, ep)')
  const imdbDigits = textOf('imdbid') === '' ? undefined : /^(?:tt)?(\d{1,10})$/.exec(textOf('imdbid'))?.[1]
  if (textOf('imdbid') !== '' && imdbDigits === undefined) return wrong('Incorrect parameter (imdbid)')
  const words = textOf('q')
  // Sites are asked by words. Without any, a number alone would bring whatever is newest.
  if (words === '' && (part !== '' || imdbDigits !== undefined))
    return failWith({ code: 'missing', description: 'Missing parameter (q)' })
  const keyword = `${words} ${part}`.trim()
  if ([...keyword].length > bounds.keywordCharactersMax) return wrong('Incorrect parameter (q)')
  return succeed({
    keyword,
    categories: categories.filter((number) => number !== undefined),
    imdbId: imdbDigits === undefined ? undefined : `tt${imdbDigits.padStart(7, '0')}`,
    limit: Math.min(limit, bounds.itemsMax),
    offset,
  })
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** As titles have it: S01E02, S01, or the day of a daily show, which comes as a year and `MM/DD`. */
function episodeWords(season: string, episode: string): string | undefined {
  if (season === '' && episode === '') return ''
  const day = /^(\d{1,2})\/(\d{1,2})$/.exec(episode)
  if (day !== null)
    return /^\d{4}$/.test(season) ? `${season}.${day[1]?.padStart(2, '0')}.${day[2]?.padStart(2, '0')}` : undefined
  if (!/^s?\d{1,4}$/i.test(season) || !/^(?:e?\d{1,4})?$/i.test(episode)) return undefined
  const two = (text: string) => text.replace(/^\D/, '').padStart(2, '0')
  return episode === '' ? `S${two(season)}` : `S${two(season)}E${two(episode)}`
}
