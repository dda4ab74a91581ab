/** Which screen the part of the address behind `#` means. Pure: the browser's address is an argument. */
const listScreens = [
  'overview',
  'torrents',
  'search',
  'explore',
  'tasks',
  'jobs',
  'tokens',
  'devices',
  'log',
  'backups',
  'settings',
  'more',
] as const
type ListScreen = (typeof listScreens)[number]
export type Screen =
  | ListScreen
  | 'sites'
  | 'subscriptions'
  | 'library'
  | 'brush'
  | 'feeds'
  | 'ends'
  | 'reseed'
  | 'downloaders'
  | 'templates'
  | 'channels'
  | 'gateway'
  | 'assistant'

/** What of the sites is shown: all of them, one, or a form. */
export type SitePlace =
  | { readonly at: 'list' }
  | { readonly at: 'new' | 'definitions' }
  | { readonly at: 'one' | 'edit'; readonly id: number }

/** What of the assistant is shown; on wide screens the list of conversations stands beside all of it. */
export type AssistantPlace =
  | { readonly at: 'list' }
  | { readonly at: 'new' }
  | { readonly at: 'one'; readonly id: string }

/** The parts that a torrent's page has. */
export const torrentParts = ['files', 'trackers', 'peers', 'speed', 'history', 'change'] as const
export type TorrentPart = (typeof torrentParts)[number]

export type Route =
  | { readonly name: 'setup'; readonly code?: string }
  | { readonly name: 'welcome' }
  | { readonly name: 'sign-in'; readonly back?: string }
  | { readonly name: ListScreen; readonly query: URLSearchParams }
  | { readonly name: 'torrent'; readonly downloaderId: number; readonly taskId: string; readonly part: TorrentPart }
  | { readonly name: 'library' | 'rules'; readonly form?: 'new' | number; readonly query: URLSearchParams }
  | { readonly name: 'subscriptions'; readonly id?: number; readonly query: URLSearchParams }
  | {
      readonly name: 'brush' | 'downloaders' | 'channels' | 'profiles' | 'watchlists' | 'feeds' | 'ends'
      readonly form?: 'new' | number
    }
  | { readonly name: 'transfers' | 'reseed' }
  | { readonly name: 'templates'; readonly type?: string }
  /** `new`, or the id of a key. */
  | { readonly name: 'gateway'; readonly form?: string }
  | { readonly name: 'sites'; readonly place: SitePlace; readonly query: URLSearchParams }
  | { readonly name: 'assistant'; readonly place: AssistantPlace }

function isListScreen(name: string): name is ListScreen {
  return (listScreens as readonly string[]).includes(name)
}

const formScreens = ['brush', 'downloaders', 'channels', 'profiles', 'watchlists', 'feeds', 'ends'] as const
function isFormScreen(name: string): name is (typeof formScreens)[number] {
  return (formScreens as readonly string[]).includes(name)
}

/** Only a place inside the console is a place to come back to: an address of someone else never is. */
function safeBack(hash: string | null): string | undefined {
  return hash?.startsWith('#/') && !/^#\/(sign-in|setup)/.test(hash) ? hash : undefined
}

function positive(text: string): number | undefined {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
}

function sitePlace(detail: string, verb: string): SitePlace {
  if (detail === 'new' || detail === 'definitions') return { at: detail }
  const id = positive(detail)
  if (id === undefined) return { at: 'list' }
  return { at: verb === 'edit' ? 'edit' : 'one', id }
}

function assistantPlace(detail: string): AssistantPlace {
  if (detail === 'new') return { at: 'new' }
  return /^[\w.:~-]{1,64}$/.test(detail) ? { at: 'one', id: detail } : { at: 'list' }
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const query = new URLSearchParams(search)
  const [name = '', detail = '', verb = ''] = path.split('/')
  if (name === 'setup') {
    const code = query.get('code')
    return code === null || code === '' ? { name } : { name, code }
  }
  if (name === 'welcome' || name === 'transfers' || name === 'reseed') return { name }
  if (name === 'sign-in') {
    const back = safeBack(query.get('back'))
    return back === undefined ? { name } : { name, back }
  }
  if (name === 'templates') return detail === '' ? { name } : { name, type: detail }
  if (name === 'gateway')
    return detail === 'new' || detail === 'routes' || /^[0-9a-f]{12}$/.test(detail) ? { name, form: detail } : { name }
  if (name === 'library' || name === 'rules') {
    const form = detail === 'new' ? detail : positive(detail)
    return form === undefined ? { name, query } : { name, form, query }
  }
  if (name === 'subscriptions') {
    const id = positive(detail)
    return id === undefined ? { name, query } : { name, id, query }
  }
  if (isFormScreen(name)) {
    const form = detail === 'new' ? detail : positive(detail)
    return form === undefined ? { name } : { name, form }
  }
  if (name === 'sites') return { name, place: sitePlace(detail, verb), query }
  if (name === 'assistant') return { name, place: assistantPlace(detail) }
  const downloaderId = name === 'torrents' ? positive(detail) : undefined
  if (downloaderId !== undefined && /^[0-9a-f]{40}$/.test(verb)) {
    const part = torrentParts.find((one) => one === query.get('part')) ?? 'files'
    return { name: 'torrent', downloaderId, taskId: verb, part }
  }
  if (isListScreen(name)) return { name, query }
  return { name: 'overview', query: new URLSearchParams() }
}

export function torrentPageHash(
  { downloader_id, task_id }: { readonly downloader_id: number; readonly task_id: string },
  part: TorrentPart = 'files',
): string {
  return `#/torrents/${downloader_id}/${task_id}${part === 'files' ? '' : `?part=${part}`}`
}

export const home = '#/overview'

export function signInHash(from: string): string {
  const back = safeBack(from)
  return back === undefined || back === home ? '#/sign-in' : `#/sign-in?back=${encodeURIComponent(back)}`
}
