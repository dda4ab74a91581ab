/** What the part of the address behind `#` means, and how it is written. Pure: the browser's address is an argument. */
const viewNames = [
  'home',
  'symbol',
  'file',
  'files',
  'flow',
  'map',
  'entries',
  'dead',
  'routes',
  'trails',
  'text',
  'change',
  'accuracy',
] as const
export type ViewName = (typeof viewNames)[number]

export interface Route {
  readonly view: ViewName
  /** Behind the view's name: a symbol's id, a trail's id, a path (of a folder with a slash at its end); or nothing. */
  readonly detail: string
  readonly query: URLSearchParams
}

const segments: Readonly<Record<ViewName, string>> = {
  home: '',
  symbol: 's',
  file: 'file',
  files: 'files',
  flow: 'flow',
  map: 'map',
  entries: 'entry',
  dead: 'dead',
  routes: 'routes',
  trails: 'trails',
  text: 'text',
  change: 'change',
  accuracy: 'accuracy',
}
const viewOf = new Map(viewNames.map((name) => [segments[name], name]))

/** An address that someone mistyped names nothing; it never throws. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '')
  const mark = text.indexOf('?')
  const path = mark === -1 ? text : text.slice(0, mark)
  const query = new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1))
  const slash = path.indexOf('/')
  const segment = slash === -1 ? path : path.slice(0, slash)
  const view = viewOf.get(segment) ?? 'home'
  return {
    view,
    detail:
      slash === -1
        ? ''
        : path
            .slice(slash + 1)
            .split('/')
            .map(decoded)
            .join('/'),
    query,
  }
}

/** The root, which has no name, is one. */
export function isFolder(path: string): boolean {
  return path === '' || path.endsWith('/')
}

export type QueryParts = Readonly<Record<string, string | number | readonly string[] | undefined>>

/** The address of a view. Parameters without a value are left out, so that one state has one address. */
export function href(view: ViewName, detail = '', query: QueryParts = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (value !== '') parameters.append(name, String(value))
    } else for (const one of value ?? []) parameters.append(name, one)
  }
  const path = [segments[view], ...(detail === '' ? [] : detail.split('/').map(encodeURIComponent))].join('/')
  const search = parameters.toString()
  return `#/${path}${search === '' ? '' : `?${search}`}`
}
