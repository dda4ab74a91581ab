/** What the part of the address behind `#` means, and how it is written. Pure: the browser's address is an argument. */
export const panels = ['changes', 'context', 'terminal'] as const
export type Panel = (typeof panels)[number]

/** What has one page for the whole server. */
export const grounds = ['terminals', 'catalog', 'memory', 'cleanup'] as const
type Ground = (typeof grounds)[number]

export type Route =
  | { readonly view: 'home'; readonly search: string }
  | { readonly view: 'new' }
  /** Without a path the tree alone. */
  | { readonly view: 'files'; readonly path: string }
  | { readonly view: Ground }
  /** Without a panel the transcript; beside it, where there is room, the changes. */
  | { readonly view: 'session'; readonly id: string; readonly panel: Panel | undefined }

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [segment, id = '', panel] = path.split('/')
  if (segment === 'new') return { view: 'new' }
  const ground = grounds.find((one) => one === segment)
  if (ground !== undefined) return { view: ground }
  if (segment === 'files') return { view: 'files', path: decoded(path.slice('files/'.length)) }
  if (segment === 's' && /^ses[\w-]*$/.test(id))
    return { view: 'session', id, panel: panels.find((one) => one === panel) }
  return { view: 'home', search: new URLSearchParams(query).get('q') ?? '' }
}

export function sessionHref(id: string, panel?: Panel): string {
  return panel === undefined ? `#/s/${id}` : `#/s/${id}/${panel}`
}

export function fileHref(path: string): string {
  return path === '' ? '#/files' : `#/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function searchHref(search: string): string {
  return search === '' ? '#/' : `#/?${new URLSearchParams({ q: search })}`
}
