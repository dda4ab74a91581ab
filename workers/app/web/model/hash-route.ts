/** Which screen the part of the address behind `#` means. Pure: the browser's address is an argument. */
const screens = ['torrents', 'downloaders', 'tokens', 'log', 'settings'] as const
export type Screen = (typeof screens)[number]

export type Route =
  | { readonly name: 'setup'; readonly code?: string }
  | { readonly name: 'welcome' }
  | { readonly name: 'sign-in'; readonly back?: string }
  | { readonly name: Exclude<Screen, 'downloaders'>; readonly query: URLSearchParams }
  | { readonly name: 'downloaders'; readonly form?: 'new' | number }

function isScreen(name: string): name is Screen {
  return (screens as readonly string[]).includes(name)
}

/** Only a place inside the console is a place to come back to: an address of someone else never is. */
function safeBack(hash: string | null): string | undefined {
  return hash?.startsWith('#/') && !/^#\/(sign-in|setup)/.test(hash) ? hash : undefined
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const query = new URLSearchParams(search)
  const [name = '', detail = ''] = path.split('/')
  if (name === 'setup') {
    const code = query.get('code')
    return code === null || code === '' ? { name } : { name, code }
  }
  if (name === 'welcome') return { name }
  if (name === 'sign-in') {
    const back = safeBack(query.get('back'))
    return back === undefined ? { name } : { name, back }
  }
  if (name === 'downloaders') {
    if (detail === 'new') return { name, form: 'new' }
    return /^[1-9][0-9]{0,14}$/.test(detail) ? { name, form: Number(detail) } : { name }
  }
  if (isScreen(name)) return { name, query }
  return { name: 'torrents', query: new URLSearchParams() }
}

export function signInHash(from: string): string {
  const back = safeBack(from)
  return back === undefined || back === '#/torrents' ? '#/sign-in' : `#/sign-in?back=${encodeURIComponent(back)}`
}
