/** What the list of pushes shows lives in the address. */

export interface TaskQuery {
  readonly site: string
  readonly words: string
  readonly pushedOnly: boolean
  readonly page: number
}

export const everyTask: TaskQuery = { site: '', words: '', pushedOnly: false, page: 1 }
export const taskRowsPerPage = 50
const wordsMax = 100
const siteNameMax = 64

export function readTaskQuery(search: URLSearchParams): TaskQuery {
  const page = search.get('page') ?? ''
  return {
    site: [...(search.get('site') ?? '')].slice(0, siteNameMax).join(''),
    words: [...(search.get('q') ?? '')].slice(0, wordsMax).join(''),
    pushedOnly: search.get('pushed') === '1',
    page: /^[1-9][0-9]{0,6}$/.test(page) ? Math.min(1_000_000, Number(page)) : 1,
  }
}

export function taskHash(query: TaskQuery): string {
  const search = new URLSearchParams()
  if (query.site !== '') search.set('site', query.site)
  if (query.words !== '') search.set('q', query.words)
  if (query.pushedOnly) search.set('pushed', '1')
  if (query.page !== 1) search.set('page', String(query.page))
  const text = search.toString()
  return text === '' ? '#/tasks' : `#/tasks?${text}`
}

/** Parameters of `GET /tasks` in the names of the interface. */
export function taskParameters(query: TaskQuery): URLSearchParams {
  const search = new URLSearchParams({ page: String(query.page), page_size: String(taskRowsPerPage) })
  if (query.site !== '') search.set('site', query.site)
  if (query.words.trim() !== '') search.set('q', query.words.trim())
  if (query.pushedOnly) search.set('pushed', '1')
  return search
}

export function isTaskFiltered(query: TaskQuery): boolean {
  return query.site !== '' || query.words.trim() !== '' || query.pushedOnly
}
