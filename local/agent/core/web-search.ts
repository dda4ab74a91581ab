/** How services that search the web are asked, and what they answer, as their public documents have it. */

export const webSearchKinds = ['brave', 'searxng'] as const
export type WebSearchKind = (typeof webSearchKinds)[number]

export interface WebSearchSettings {
  readonly kind: WebSearchKind
  /** Where it is not the service's own address. */
  readonly url?: string | undefined
  readonly key?: string | undefined
}

export interface WebHit {
  readonly title: string
  readonly url: string
  readonly text: string
}

interface Service {
  readonly url: string | undefined
  readonly query: (words: string, count: number) => Readonly<Record<string, string>>
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>
  readonly hits: (answer: unknown) => unknown
  readonly textField: string
}

const services: Readonly<Record<WebSearchKind, Service>> = {
  brave: {
    url: 'https://api.search.brave.com/res/v1/web/search',
    query: (words, count) => ({ q: words, count: String(count), text_decorations: 'false' }),
    headers: (key) => (key === undefined ? {} : { 'x-subscription-token': key }),
    hits: (answer) => (answer as { readonly web?: { readonly results?: unknown } }).web?.results ?? [],
    textField: 'description',
  },
  searxng: {
    url: undefined,
    query: (words) => ({ q: words, format: 'json' }),
    headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    hits: (answer) => (answer as { readonly results?: unknown }).results,
    textField: 'content',
  },
}

/** Undefined where the service has no address of its own and none is set. */
export function searchRequest(
  { kind, url, key }: WebSearchSettings,
  words: string,
  count: number,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const service = services[kind]
  const address = URL.parse(url ?? service.url ?? '')
  if (address === null) return undefined
  for (const [name, value] of Object.entries(service.query(words, count))) address.searchParams.set(name, value)
  return { url: address.href, headers: { accept: 'application/json', ...service.headers(key) } }
}

const titleCharactersMax = 300
const textCharactersMax = 1_000

/** Undefined for what is no answer of such a service. */
export function readHits(kind: WebSearchKind, answer: unknown, countMax: number): readonly WebHit[] | undefined {
  const { hits, textField } = services[kind]
  const list = typeof answer === 'object' && answer !== null ? hits(answer) : undefined
  if (!Array.isArray(list)) return undefined
  return list
    .flatMap((item: unknown) => {
      const { title, url, [textField]: text } = (item ?? {}) as Readonly<Record<string, unknown>>
      if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return []
      return {
        title: plain(title, titleCharactersMax),
        url,
        text: plain(text, textCharactersMax),
      }
    })
    .slice(0, countMax)
}

function plain(text: unknown, charactersMax: number): string {
  if (typeof text !== 'string') return ''
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, charactersMax)
}
