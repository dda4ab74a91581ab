/** What the history of the library shows lives in the address. */
import type { WireMediaRecord } from '../../contract/media.ts'
import { historyStatuses } from '../../core/vocabulary.ts'

export const mediaRowsPerPage = 50
const wordsMax = 100

export interface MediaQuery {
  readonly words: string
  readonly state: WireMediaRecord['status'] | undefined
  readonly page: number
}

export const everyRecord: MediaQuery = { words: '', state: undefined, page: 1 }

export function readMediaQuery(search: URLSearchParams): MediaQuery {
  const page = search.get('page') ?? ''
  return {
    words: [...(search.get('q') ?? '')].slice(0, wordsMax).join(''),
    state: historyStatuses.find((one) => one === search.get('status')),
    page: /^[1-9][0-9]{0,6}$/.test(page) ? Math.min(1_000_000, Number(page)) : 1,
  }
}

export function mediaHash({ words, state, page }: MediaQuery): string {
  const search = new URLSearchParams()
  if (words !== '') search.set('q', words)
  if (state !== undefined) search.set('status', state)
  if (page !== 1) search.set('page', String(page))
  const text = search.toString()
  return text === '' ? '#/library' : `#/library?${text}`
}

/** Parameters of `GET /media/history` in the names of the interface. */
export function mediaParameters({ words, state, page }: MediaQuery): URLSearchParams {
  const search = new URLSearchParams({ page: String(page), page_size: String(mediaRowsPerPage) })
  if (words.trim() !== '') search.set('q', words.trim())
  if (state !== undefined) search.set('status', state)
  return search
}

export function isMediaFiltered({ words, state }: MediaQuery): boolean {
  return words.trim() !== '' || state !== undefined
}

/** As releases write it: `S02`, `S02E06`, `S02E06-E08`; empty for a film. */
export function partOf({ season, episode, episode_end: last }: WireMediaRecord): string {
  if (season === undefined) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const from = episode === undefined ? '' : `E${two(episode)}`
  return `S${two(season)}${from}${last === undefined || last === episode ? '' : `-E${two(last)}`}`
}

/** What the server would refuse for certain; it has the last word. */
export function isLibraryPath(text: string): boolean {
  const path = text.trim()
  const isAbsolute = /^(?:\/[^/\\]|[A-Za-z]:[\\/]+[^\\/]|\\\\[^\\/]+[\\/]+[^\\/])/.test(path)
  return isAbsolute && !path.split(/[\\/]/).some((name) => name === '.' || name === '..')
}
