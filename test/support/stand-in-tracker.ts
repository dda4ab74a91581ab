/**
 * A site as brought definitions know them. The source is the public schema of the format and what its definitions ask of
 * sites: `Prowlarr/Indexers` at 4b0a0325, `definitions/v11/schema.json` and the definitions beside it (windows-1251, form
 * with a hidden token, cookies set in two steps, list in pages, JSON list by key, file behind a thank-you). No text of
 * theirs is here. It is strict: an address, a parameter, a method, a header or a byte that such a site does not know is
 * refused, and it keeps what it refused.
 */
import { stringify } from 'yaml'

export const trackerOrigin = 'https://harbour.example'
export const trackerAnswers = { username: 'Моряк', password: 'маяк & 9+1', apikey: 'CanaryKeyOfTheTracker' }

/** What the site does otherwise. */
export type TrackerMood = 'as usual' | 'login page with 200' | 'changed page' | 'closed account' | 'no file'

interface Row {
  readonly id: number
  readonly title: string
  readonly category: 11 | 22
  readonly bytes: number
  readonly isFree: boolean
}

export const trackerRows: readonly Row[] = [
  { id: 41, title: 'Тихая гавань 2030 1080p', category: 11, bytes: 4.5 * 1024 ** 3, isFree: true },
  { id: 42, title: 'Тихая гавань <S01> & "прилив"', category: 22, bytes: 700 * 1024 ** 2, isFree: false },
  { id: 43, title: 'Громкая гавань 2031', category: 11, bytes: 1024 ** 4, isFree: false },
]
const pageSize = 2
export const trackerHash = (id: number) => String(id).padStart(40, 'b')

type Definition = Readonly<Record<string, unknown>>

const head: Definition = {
  id: 'stand-in',
  name: 'Stand-in',
  description: 'A site of nobody',
  language: 'ru-RU',
  type: 'private',
  encoding: 'windows-1251',
  links: [`${trackerOrigin}/`],
  caps: {
    categorymappings: [
      { id: 11, cat: 'Movies/HD', desc: 'Films' },
      { id: 22, cat: 'TV/HD', desc: 'Series' },
    ],
    modes: { search: ['q'] },
  },
}

/** By form, in HTML and in pages. */
export const htmlDefinition: Definition = {
  ...head,
  settings: [
    { name: 'username', type: 'text', label: 'Name' },
    { name: 'password', type: 'password', label: 'Password' },
  ],
  login: {
    path: 'login.php',
    method: 'form',
    form: 'form#enter',
    inputs: { username: '{{ .Config.username }}', password: '{{ .Config.password }}' },
    error: [{ selector: 'p.wrong' }],
    test: { path: 'index.php', selector: 'a[href^="logout.php"]' },
  },
  search: {
    paths: [
      { path: 'browse.php', inputs: { page: 0 } },
      { path: 'browse.php', inputs: { page: 1 } },
    ],
    inputs: { q: '{{ .Keywords }}', $raw: '{{ range .Categories }}c{{.}}=1&{{end}}' },
    rows: { selector: 'table#list > tbody > tr:has(a[href^="details.php"])' },
    fields: {
      category: { selector: 'a[href*="cat="]', attribute: 'href', filters: [{ name: 'querystring', args: 'cat' }] },
      title: { selector: 'a[href^="details.php"]' },
      details: { selector: 'a[href^="details.php"]', attribute: 'href' },
      download: { selector: 'a[href^="details.php"]', attribute: 'href' },
      size: { selector: 'td:nth-child(3)' },
      seeders: { selector: 'td:nth-child(4)' },
      leechers: { selector: 'td:nth-child(5)' },
      downloadvolumefactor: { case: { 'img.free': 0, '*': 1 } },
      uploadvolumefactor: { text: 1 },
    },
  },
  download: {
    before: { path: 'thanks.php', method: 'post', inputs: { id: '{{ .DownloadUri.Query.id }}' } },
    selectors: [{ selector: 'a[href^="get.php"]', attribute: 'href' }],
  },
}

/** By key, in JSON; the hash is all there is of a torrent. */
export const jsonDefinition: Definition = {
  ...head,
  settings: [{ name: 'apikey', type: 'text', label: 'Key' }],
  search: {
    paths: [{ path: 'api/list', response: { type: 'json' } }],
    headers: { 'X-Api-Key': ['{{ .Config.apikey }}'] },
    inputs: { search: '{{ .Keywords }}' },
    rows: { selector: 'data.torrents', count: { selector: 'data.count' } },
    fields: {
      category: { selector: 'cat.id' },
      title: { selector: 'name' },
      infohash: { selector: 'hash' },
      size: { selector: 'bytes' },
      seeders: { selector: 'peers[0]' },
      leechers: { selector: 'peers[1]' },
      downloadvolumefactor: { selector: 'free', case: { True: 0, False: 1 } },
      uploadvolumefactor: { text: 1 },
    },
  },
}

export const textOfTracker = (definition: Definition) => stringify(definition)
export const trackerTorrent = new TextEncoder().encode('d4:infod6:lengthi1e4:name1:x12:piece lengthi1e6:pieces0:ee')

const windows1251 = new TextDecoder('windows-1251', { fatal: true })
const codes = new Map(Array.from({ length: 256 }, (_, byte) => [windows1251.decode(new Uint8Array([byte])), byte]))
/** As the site sends it; a character that its set lacks stands as a reference. */
const bytesOf = (text: string) =>
  Uint8Array.from(
    [...text].flatMap((one) => codes.get(one) ?? [...`&#${one.codePointAt(0)};`].map((x) => x.charCodeAt(0))),
  )

/** Pairs in windows-1251; undefined for what no form of this site sends. */
function pairsOf(query: string): Map<string, string> | undefined {
  const pairs = new Map<string, string>()
  for (const part of query.split('&').filter((one) => one !== '')) {
    if (!/^(?:[\w.*+~!'()=-]|%[0-9a-f]{2})+$/i.test(part)) return undefined
    const [name = '', ...rest] = part.split('=').map((one) => {
      const plain = one
        .replaceAll('+', ' ')
        .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      return windows1251.decode(Uint8Array.from(plain, (character) => character.charCodeAt(0)))
    })
    if (pairs.has(name)) return undefined
    pairs.set(name, rest.join('='))
  }
  return pairs
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export class StandInTracker {
  mood: TrackerMood = 'as usual'
  /** What it was asked for that no such site knows. */
  readonly refused: string[] = []
  readonly asked: string[] = []
  #tokens = 0
  #sessions = new Set<string>()
  #thanked = new Set<string>()

  endSessions(): void {
    this.#sessions.clear()
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, search, origin } = new URL(request.url)
    this.asked.push(`${request.method} ${pathname}${search}`)
    const wrong = (why: string) => {
      this.refused.push(`${request.method} ${pathname}${search}: ${why}`)
      return page(`<h1>${why}</h1>`, 400)
    }
    if (origin !== trackerOrigin) return wrong('another host')
    if (!request.headers.get('user-agent')) return wrong('no user agent')
    const query = pairsOf(search.slice(1))
    const form = request.method === 'POST' ? pairsOf(await request.text()) : new Map<string, string>()
    if (query === undefined || form === undefined) return wrong('not in the character set')
    if (
      request.method === 'POST' &&
      !/^application\/x-www-form-urlencoded/.test(request.headers.get('content-type') ?? '')
    )
      return wrong('not a form')
    const knows = (names: RegExp, pairs: ReadonlyMap<string, string>) =>
      [...pairs.keys()].every((name) => names.test(name))
    const cookies = new Map(
      (request.headers.get('cookie') ?? '').split('; ').map((one) => one.split('=') as [string, string]),
    )
    const isOpen = this.#sessions.has(cookies.get('session') ?? '') && this.mood !== 'closed account'
    const route = `${request.method} ${pathname}`
    if (route === 'GET /api/list') {
      if (!knows(/^search$/, query)) return wrong('a parameter')
      if (request.headers.get('x-api-key') !== trackerAnswers.apikey) return page('{"error":"key"}', 401)
      return this.#list(query.get('search') ?? '')
    }
    if (route === 'GET /login.php') return this.#form()
    if (route === 'POST /takelogin.php') {
      if (!knows(/^(?:username|password|token|remember)$/, form)) return wrong('a field')
      const token = form.get('token')
      if (token !== `t${this.#tokens}` || cookies.get('before') !== `b${this.#tokens}`) return wrong('the token')
      if (request.headers.get('referer') !== `${trackerOrigin}/login.php`) return wrong('the referer')
      this.#tokens += 1
      if (form.get('username') !== trackerAnswers.username || form.get('password') !== trackerAnswers.password)
        return page('<p class="wrong">Нет</p><form id="enter"><input type="password" name="password"></form>')
      const session = `s${this.#tokens}`
      this.#sessions.add(session)
      return new Response(null, {
        status: 302,
        headers: [
          ['location', 'index.php'],
          ['set-cookie', `session=${session}; path=/; HttpOnly; Secure`],
          ['set-cookie', 'before=; path=/; max-age=0'],
        ],
      })
    }
    if (!['/index.php', '/browse.php', '/thanks.php', '/details.php', '/get.php'].includes(pathname))
      return wrong('an address')
    if (!isOpen) {
      if (this.mood === 'login page with 200') return this.#form()
      return new Response(null, { status: 302, headers: { location: '/login.php' } })
    }
    const out = '<a href="logout.php?k=1">Выход</a>'
    const id = query.get('id') ?? form.get('id') ?? ''
    switch (route) {
      case 'GET /index.php':
        return query.size === 0 ? page(out) : wrong('a parameter')
      case 'GET /browse.php':
        if (!knows(/^(?:q|page|c11|c22)$/, query)) return wrong('a parameter')
        return page(out + this.#table(query))
      case 'POST /thanks.php':
        if (!trackerRows.some((row) => String(row.id) === id) || form.size !== 1) return wrong('a field')
        this.#thanked.add(id)
        return page(out)
      case 'GET /details.php':
        if (!knows(/^id$/, query)) return wrong('a parameter')
        return page(out + (this.mood === 'no file' ? '' : `<a href="get.php?id=${id}&amp;k=K${id}">.torrent</a>`))
      case 'GET /get.php':
        if (!this.#thanked.has(id) || query.get('k') !== `K${id}`) return wrong('not thanked for')
        return new Response(trackerTorrent, { headers: { 'content-type': 'application/x-bittorrent' } })
      default:
        return wrong('a method')
    }
  }

  #form(): Response {
    const answer = page(
      `<form action="search.php"><input name="q"></form><form id="enter" method="post" action="takelogin.php"><input type="hidden" name="token" value="t${this.#tokens}"><input name="username"><input type="password" name="password"><input type="checkbox" name="remember" value="1" checked><input type="checkbox" name="never"><input type="submit" value="Вход"></form>`,
    )
    answer.headers.append('set-cookie', `before=b${this.#tokens}; path=/`)
    return answer
  }

  #found(words: string): readonly Row[] {
    return trackerRows.filter(({ title }) =>
      words.split(' ').every((word) => title.toLowerCase().includes(word.toLowerCase())),
    )
  }

  #table(query: ReadonlyMap<string, string>): string {
    const categories = [11, 22].filter((one) => query.get(`c${one}`) === '1')
    const from = Number(query.get('page') ?? '0') * pageSize
    const rows = this.#found(query.get('q') ?? '')
      .filter(({ category }) => categories.length === 0 || categories.includes(category))
      .slice(from, from + pageSize)
      .map(
        ({ id, title, category, bytes, isFree }) =>
          `<tr><td><a href="browse.php?cat=${category}">c</a></td><td><a href="details.php?id=${id}">${escaped(title)}</a>${isFree ? '<img class="free">' : ''}</td><td>${this.mood === 'changed page' ? '' : `${bytes / 1024 ** 2} MB`}</td><td>${id}</td><td>3</td></tr>`,
      )
    const list = `<table id="list"><tbody><tr><th>Тема</th></tr>${rows.join('')}</tbody></table>`
    // The same list, with other names for its parts.
    return this.mood === 'changed page'
      ? list.replaceAll('details.php', 'topic.php').replace('"list"', '"topics"')
      : list
  }

  #list(words: string): Response {
    const torrents = this.#found(words).map(({ id, title, category, bytes, isFree }) => ({
      ...(this.mood === 'changed page' ? { label: title } : { name: title }),
      cat: { id: category },
      hash: trackerHash(id),
      bytes,
      peers: [id, 3],
      free: isFree,
    }))
    if (this.mood === 'login page with 200') return this.#form()
    return Response.json({ data: { count: torrents.length, torrents } })
  }
}

function page(body: string, status = 200): Response {
  return new Response(bytesOf(`<!doctype html><title>Гавань</title>${body}`), {
    status,
    headers: { 'content-type': 'text/html; charset=windows-1251' },
  })
}
