/** What the service keeps for its clients, kind by kind, and a writer of each that knows what it was promised. */
import { consoleSite } from '../support/console-site.ts'

export const appApi = '/api/app/v1'
export const consoleApi = '/api/console/v1'

export type Call = readonly [method: string, path: string, body?: unknown]

export interface Asked {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each shape is judged by its contract elsewhere
  readonly body: any
}

export interface Asking {
  /** Undefined when the service ended before it answered. */
  ask(...call: Call): Promise<Asked | undefined>
}

export interface KeptKind {
  readonly name: string
  /** Of these there may be so many in a test; the service's own bound is higher. */
  readonly most: number
  add(value: string): Call
  change?(id: string, value: string): Call
  remove(id: string): Call
  idOf(body: Asked['body']): string
  readonly list: string
  /** Its id and its value, of each that there is. */
  read(body: Asked['body']): [id: string, value: string][]
  /** Where a value is not any name. */
  readonly values?: readonly string[]
  /** What had no answer may come into the list, or go from it, some time after the start that follows. */
  readonly isListedLater?: boolean
}

/** Something with a name, below the console. */
function named(name: string, fields: (value: string) => object): KeptKind {
  const list = `${consoleApi}/${name}`
  return {
    name,
    most: 4,
    list,
    add: (value) => ['POST', list, { name: value, ...fields(value) }],
    change: (id, value) => ['PUT', `${list}/${id}`, { name: value, ...fields(value) }],
    remove: (id) => ['DELETE', `${list}/${id}`],
    idOf: ({ id }) => String(id),
    read: ({ items }) => items.map((item: { id: unknown; name: string }) => [String(item.id), item.name]),
  }
}

const hook = { type: 'webhook', enabled: false, events: ['site.failed'] }
const condition = { field: 'size_gib', op: 'at_most', value: 2, or_unknown: false }
const target = { downloader_id: 0, category: '', tags: [], save_path: '' }
const words = { resolutions: ['1080p'], sources: [], required_words: [], refused_words: [], sites: [] }
const bounds = { min_gib: 0, max_gib: 0, min_seeders: 0, free_only: false, refuse_hr: false }
const limits = { requests_per_minute: null, tokens_per_minute: null, budget_day_usd: null, budget_month_usd: null }
const account = { username: 'admin', password: 'a password', enabled: false, default: false }
const type = 'attendance.failed'

const tokens = named('tokens', () => ({ scopes: ['app:read'], lifetime: '30d' }))
const gatewayKeys = named('gateway/keys', () => ({
  models: [],
  addresses: [],
  ...limits,
  expires_at: null,
  keep_bodies: false,
}))
const siteAt = (value: string) =>
  consoleSite(value, 'unit3d', 'https://shelf.example', { api_key: 'a key', enabled: false })

function withoutChange({ change: _, ...kind }: KeptKind): KeptKind {
  return kind
}

export const keptKinds: readonly KeptKind[] = [
  named('libraries', (value) => ({ media_type: 'tv', path: `/srv/${value}`, mode: 'move', default: false })),
  named('rules', () => ({ enabled: true, rule: { action: 'skip', conditions: [condition], target } })),
  named('quality-profiles', () => ({ default: false, ...words, ...bounds })),
  named('channels', (value) => ({ ...hook, address: `https://hooks.example/${value}` })),
  named('downloaders', () => ({ type: 'transmission', address: 'http://127.0.0.1:9', ...account })),
  withoutChange(named('sites', siteAt)),
  { ...withoutChange(tokens), idOf: ({ token }) => String(token.id) },
  {
    ...gatewayKeys,
    idOf: ({ key }) => String(key.id),
    // One that was taken back stays in the list, to be removed with its figures.
    read: ({ items }) =>
      items
        .filter((item: { revoked_at: number | null }) => item.revoked_at === null)
        .map((item: { id: string; name: string }) => [item.id, item.name]),
  },
  {
    name: 'subscriptions',
    most: 2,
    values: ['active', 'paused'],
    list: `${appApi}/subscriptions`,
    add: () => ['POST', `${appApi}/subscriptions`, { media_type: 'movie', tmdb_id: 11 }],
    change: (id, status) => ['POST', `${appApi}/subscriptions/${id}/status`, { status }],
    remove: (id) => ['DELETE', `${appApi}/subscriptions/${id}`],
    idOf: ({ id }) => String(id),
    read: (items) => items.map((item: { id: number; status: string }) => [String(item.id), item.status]),
  },
  {
    name: 'templates',
    most: 1,
    list: `${appApi}/templates`,
    add: (text) => ['PUT', `${appApi}/templates/${type}`, { title: '', text }],
    change: (id, text) => ['PUT', `${appApi}/templates/${id}`, { title: '', text }],
    remove: (id) => ['DELETE', `${appApi}/templates/${id}`],
    idOf: () => type,
    read: ({ events }) =>
      events
        .filter((event: { type: string; customized: boolean }) => event.type === type && event.customized)
        .map((event: { text: string }) => [type, event.text]),
  },
  {
    name: 'conversations',
    most: 4,
    isListedLater: true,
    list: `${appApi}/assistant/conversations`,
    add: (title) => ['POST', `${appApi}/assistant/conversations`, { title }],
    remove: (id) => ['DELETE', `${appApi}/assistant/conversations/${id}`],
    idOf: ({ id }) => String(id),
    read: ({ items }) => items.map((item: { id: string; title: string }) => [item.id, item.title]),
  },
]

/** In the place of a value: there is none. */
const gone = undefined

/** One kind, its writer, and which states each of its things may be in by what was answered. */
export class Held {
  readonly #kind: KeptKind
  readonly #random: () => number
  readonly #may = new Map<string, readonly (string | undefined)[]>()
  /** Of additions without an answer. */
  #asked: string[] = []
  /** Listed still, though a crash took the answer to its removal. */
  readonly #unsure = new Set<string>()
  #values = 0
  /** What the set-up made: it stays. */
  #beginning: ReadonlySet<string> = new Set()

  constructor(kind: KeptKind, random: () => number) {
    this.#kind = kind
    this.#random = random
  }

  async begin(world: Asking): Promise<void> {
    const answer = await world.ask('GET', this.#kind.list)
    this.#beginning = new Set(this.#kind.read(answer?.body).map(([id]) => id))
  }

  /** One change after another, until the service is gone. */
  async write(world: Asking, writing: { readonly isOn: boolean }): Promise<readonly string[]> {
    const faults: string[] = []
    while (writing.isOn) {
      const fault = await this.#step(world)
      if (fault === 'ended') break
      if (fault !== undefined) faults.push(`${this.#kind.name}: ${fault}`)
    }
    return faults
  }

  async #step(world: Asking): Promise<string | undefined> {
    const { add, change, remove, most, idOf } = this.#kind
    const ids = [...this.#may.keys()]
    const id = ids[Math.floor(this.#random() * ids.length)]
    if (id === undefined || (ids.length < most && this.#random() < 0.5)) {
      const value = this.#kind.values?.[0] ?? this.#freshValue()
      this.#asked.push(value)
      const answer = await world.ask(...add(value))
      if (answer === undefined) return 'ended'
      this.#asked.pop()
      // What there may be one of alone is refused a second time.
      if (answer.status >= 300) return this.#kind.values === undefined ? said('add', answer) : undefined
      this.#may.set(idOf(answer.body), [value])
      return undefined
    }
    const isChange = change !== undefined && this.#random() < 0.6
    const value = isChange ? this.#nextValue() : gone
    const before = this.#may.get(id) ?? []
    this.#may.set(id, [...before, value])
    const answer = await world.ask(...(isChange && value !== undefined ? change(id, value) : remove(id)))
    if (answer === undefined) return 'ended'
    if (answer.status === 404 && this.#unsure.delete(id)) {
      this.#may.delete(id)
      return undefined
    }
    if (answer.status >= 300) {
      this.#may.set(id, before)
      return said(isChange ? 'change' : 'remove', answer)
    }
    if (value === gone) this.#may.delete(id)
    else this.#may.set(id, [value])
    return undefined
  }

  /** After a start: what there is must be what there may be. From then on it is what is known. */
  async compare(world: Asking): Promise<readonly string[]> {
    const answer = await world.ask('GET', this.#kind.list)
    if (answer?.status !== 200) return [`${this.#kind.name}: ${answer === undefined ? 'ended' : said('list', answer)}`]
    const found = new Map(this.#kind.read(answer.body))
    const faults: string[] = []
    for (const [id, may] of this.#may) {
      if (this.#kind.isListedLater === true && may.includes(gone) && found.has(id)) this.#unsure.add(id)
      const isLater = this.#unsure.has(id) && !found.has(id)
      if (!isLater && !may.includes(found.get(id)))
        faults.push(`${id} is ${found.get(id) ?? 'gone'}, not ${may.join(' or ')}`)
    }
    for (const [id, value] of found) {
      if (this.#may.has(id) || this.#beginning.has(id)) continue
      const at = this.#asked.indexOf(value)
      if (at < 0) faults.push(`${id} ${value} was never asked for`)
      else this.#asked.splice(at, 1)
    }
    if (this.#kind.isListedLater !== true) this.#asked = []
    this.#may.clear()
    for (const [id, value] of found) if (!this.#beginning.has(id)) this.#may.set(id, [value])
    for (const id of this.#beginning) if (!found.has(id)) faults.push(`${id} of the set-up is gone`)
    return faults.map((fault) => `${this.#kind.name}: ${fault}`)
  }

  #freshValue(): string {
    this.#values += 1
    return `v${this.#values}`
  }

  #nextValue(): string {
    const { values } = this.#kind
    return values === undefined ? this.#freshValue() : (values[Math.floor(this.#random() * values.length)] ?? '')
  }
}

function said(what: string, { status, body }: Asked): string {
  return `${what} was answered ${status} ${JSON.stringify(body)}`
}
