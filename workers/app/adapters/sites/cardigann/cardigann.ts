import { decodeHTML } from 'entities'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { civilDay } from '../../../core/cardigann/dates.ts'
import type { Definition, SearchPath } from '../../../core/cardigann/definition.ts'
import { type FilterContext, filtered } from '../../../core/cardigann/filters.ts'
import { TemplateFault, type Variable } from '../../../core/cardigann/template.ts'
import type { SearchHit, SignInOutcome, SiteQuery, SiteReading, SiteSettings, SiteVisit } from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { definitionPagesMax, siteHitsMax } from '../../../limits.ts'
import type { SiteDriver, SiteRuntime } from '../site-driver.ts'
import { readsAsLogin, type SiteCall, type SiteHttp, saidInstead } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'
import { DownloadWay } from './download-way.ts'
import { toHit } from './hits.ts'
import { readPage, readXml, SelectorFault, SelectorTooCostly } from './page-tree.ts'
import { type Reading, type RowsRead, readJsonRows, readPageRows } from './read-rows.ts'
import { absoluteAddress, callOf, filledHeaders, filledInputs } from './requests.ts'
import { errorOn, SiteSession, type TextAnswer } from './session.ts'
import { decodeFor, encodeFor } from './site-charset.ts'

const noList: SiteFault = { kind: 'broken', part: 'list' }
/** What may come of a session that ended: sites that answer programs refuse one as they refuse anything. */
const mayBeClosed: ReadonlySet<SiteFault['kind']> = new Set(['login_expired', 'refused'])

/** A site by a definition that its owner brought. It searches; it has no account to watch. */
export class CardigannDriver implements SiteDriver {
  readonly #definition: Definition
  readonly #settings: SiteSettings
  readonly #http: SiteHttp
  readonly #runtime: SiteRuntime
  readonly #session: SiteSession
  readonly #encode: (text: string) => string
  readonly #decode: (text: string) => string

  constructor(definition: Definition, settings: SiteSettings, http: SiteHttp, runtime: SiteRuntime) {
    this.#definition = definition
    this.#settings = settings
    this.#http = http
    this.#runtime = runtime
    this.#encode = encodeFor(definition.encoding)
    this.#decode = decodeFor(definition.encoding)
    const { cookie, answers } = settings.credentials
    const given = cookie !== '' ? cookie : definition.login?.method === 'cookie' ? (answers?.['cookie'] ?? '') : ''
    this.#session = new SiteSession(definition, http, settings.baseUrl, given, runtime.nowMs)
  }

  probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    return this.#guarded(async () => {
      const context = this.#context({ keyword: '', categoryIds: [], freeOnly: false })
      const opened = await this.#session.open(context, signal)
      if (!opened.ok) return opened
      const tested = await this.#session.test(context, signal)
      if (!tested.ok) return tested
      if (!tested.value) return failWith({ kind: 'login_expired' })
      // An account that is open is half of it: what the site is for is its list.
      const found = await this.search({ keyword: '', categoryIds: [], freeOnly: false }, signal)
      return found.ok ? succeed({}) : found
    })
  }

  read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    return this.probe(signal)
  }

  search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    return this.#guarded(async () => {
      const context = this.#context(query)
      const opened = await this.#session.open(context, signal)
      if (!opened.ok) return opened
      const found = await this.#searchAll(query, context, signal)
      if (found.ok || !mayBeClosed.has(found.failure.kind) || !this.#session.forget()) return found
      // What was opened a while ago may be closed by now: once more, from the beginning.
      const again = await this.#session.open(context, signal)
      return again.ok ? this.#searchAll(query, context, signal) : again
    })
  }

  async signIn(): Promise<Result<SignInOutcome, SiteFault>> {
    return failWith({ kind: 'unsupported' })
  }

  download(
    _torrentId: string,
    downloadKey: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<Uint8Array, SiteFault>> {
    return this.#guarded(async () => {
      if (downloadKey === undefined) return failWith<SiteFault>({ kind: 'search_first' })
      // Downloaders are handed files here.
      if (/^magnet:/i.test(downloadKey)) return failWith<SiteFault>({ kind: 'unsupported' })
      const context = this.#context({ keyword: '', categoryIds: [], freeOnly: false })
      const opened = await this.#session.open(context, signal)
      if (!opened.ok) return opened
      const way = new DownloadWay(this.#definition, this.#session, this.#settings.baseUrl)
      const call = await way.find(downloadKey, context, signal)
      if (!call.ok) return call
      return downloadTorrent(this.#http, { ...call.value, jar: this.#session.jar }, signal)
    })
  }

  /** What a definition makes of a page is its own doing: the site is told as one whose pages are not understood. */
  async #guarded<T>(work: () => Promise<Result<T, SiteFault>>): Promise<Result<T, SiteFault>> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof SelectorTooCostly) return failWith({ kind: 'too_large' })
      if (cause instanceof SelectorFault || cause instanceof TemplateFault) return failWith(noList)
      throw cause
    }
  }

  async #searchAll(
    query: SiteQuery,
    context: FilterContext,
    signal: AbortSignal,
  ): Promise<Result<SearchHit[], SiteFault>> {
    const hits = new Map<string, SearchHit>()
    const { cookie, apiKey, answers } = this.#settings.credentials
    const secrets = query.withPages ? [cookie, apiKey, ...Object.values(answers ?? {})] : undefined
    let isAsked = false
    let unread = 0
    let isList = false
    const paths = this.#definition.search.paths
      .filter((path) => isFor(path, query.categoryIds))
      .slice(0, definitionPagesMax)
    for (const path of paths) {
      const rows = await this.#searchOne(path, query, context, signal)
      if (!rows.ok) return rows
      isAsked = true
      unread += rows.value.unread
      isList ||= rows.value.isList
      for (const row of rows.value.rows) {
        const hit = toHit(row, this.#definition, context, secrets)
        if (hit === undefined) unread += 1
        else if (!hits.has(hit.torrentId)) hits.set(hit.torrentId, hit)
      }
      if (hits.size >= siteHitsMax) break
    }
    // A list of which nothing can be read is another program's list, and so is one without rows where all was asked for.
    const isAll = query.keyword === '' && query.categoryIds.length === 0
    if (isAsked && hits.size === 0 && (unread > 0 || (isAll && !isList))) return failWith(noList)
    return succeed([...hits.values()].slice(0, siteHitsMax))
  }

  async #searchOne(
    path: SearchPath,
    query: SiteQuery,
    context: FilterContext,
    signal: AbortSignal,
  ): Promise<Result<RowsRead, SiteFault>> {
    const { search } = this.#definition
    const { variables } = context
    const address = absoluteAddress(path.path.render(variables, this.#encode), `${this.#settings.baseUrl}/`)
    if (address === undefined) return failWith(noList)
    const headers = filledHeaders(search.headers, context)
    const call: SiteCall = callOf(
      {
        address,
        method: path.method.render(variables).toLowerCase() === 'post' ? 'POST' : 'GET',
        inputs: filledInputs(path.inputs, context, search.allowEmptyInputs),
        separator: path.separator,
        headers: path.response === 'json' ? { accept: 'application/json', ...headers } : headers,
      },
      this.#encode,
    )
    const answer = await this.#session.ask(call, signal)
    if (!answer.ok) return answer
    const { url } = answer.value
    const reading: Reading = {
      definition: this.#definition,
      path,
      context,
      keywords: query.keyword,
      absolute: (one) => absoluteAddress(one, url.href) ?? '',
    }
    return this.#read(answer.value, reading)
  }

  #read(answer: TextAnswer, reading: Reading): Result<RowsRead, SiteFault> {
    const { search, login } = this.#definition
    const { noResults, response } = reading.path
    const text = filtered(answer.text, search.pageFilters, reading.context)
    const empty = succeed({ rows: [], unread: 0, isList: true })
    if (noResults !== undefined && (noResults === '' ? text.trim() === '' : text.includes(noResults))) return empty
    if (response === 'json') {
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        return failWith(saidInstead('json', { url: answer.url, text }))
      }
      const rows = readJsonRows(parsed, reading)
      return rows === undefined ? failWith(noList) : succeed(rows)
    }
    const page = response === 'xml' ? readXml(text) : readPage(text)
    if (response === 'html' && login !== undefined && !this.#session.isSignedIn(page))
      return failWith({ kind: 'login_expired' })
    if (errorOn(page, search.errors)) return failWith({ kind: 'refused' })
    const rows = readPageRows(page, reading)
    // Nothing found and a form to sign in: the account is closed.
    if (rows.rows.length === 0 && login !== undefined && readsAsLogin(answer.url, text))
      return failWith({ kind: 'login_expired' })
    return succeed(rows)
  }

  #context(query: SiteQuery): FilterContext {
    const nowUnix = Math.floor(this.#runtime.nowMs() / 1000)
    const variables = new Map<string, Variable>([
      ['.True', 'True'],
      ['.Today.Year', String(civilDay(Math.floor(nowUnix / 86_400))[0])],
      ['.Config.sitelink', `${this.#settings.baseUrl}/`],
      ['.Query.Type', 'search'],
      ['.Query.Q', query.keyword],
      ['.Query.Keywords', query.keyword],
      ['.Query.Limit', '100'],
      ['.Categories', this.#categories(query.categoryIds)],
    ])
    const { answers } = this.#settings.credentials
    for (const { name, type, fallback, options } of this.#definition.settings) {
      const given = answers?.[name] ?? this.#settings.profile.choices?.[name] ?? fallback
      if (type === 'checkbox') variables.set(`.Config.${name}`, given.toLowerCase() === 'true' ? 'True' : '')
      else if (type === 'select')
        variables.set(`.Config.${name}`, Object.hasOwn(options, given) ? given : (Object.keys(options)[0] ?? given))
      else if (!type.startsWith('info')) variables.set(`.Config.${name}`, given)
    }
    const { cookie, apiKey } = this.#settings.credentials
    if (cookie !== '' && !variables.get('.Config.cookie')) variables.set('.Config.cookie', cookie)
    if (apiKey !== '' && !variables.get('.Config.apikey')) variables.set('.Config.apikey', apiKey)
    const context: FilterContext = {
      variables,
      dates: { nowUnix, utcOffsetMinutes: this.#settings.profile.utcOffsetMinutes },
      decodeMarkup: decodeHTML,
      encodeUrl: this.#encode,
      decodeUrl: this.#decode,
    }
    const imdb = /^tt[0-9]{5,10}$/i.exec(query.keyword.trim())?.[0]
    if (imdb !== undefined) variables.set('.Query.IMDBID', imdb).set('.Query.IMDBIDShort', imdb.slice(2))
    variables.set('.Keywords', filtered(query.keyword, this.#definition.search.keywordFilters, context))
    return context
  }

  /** What the site is asked for by itself where nothing is wished. */
  #categories(wished: readonly string[]): readonly string[] {
    if (wished.length > 0) return wished
    return this.#definition.categories.filter(({ isDefault }) => isDefault).map(({ id }) => id)
  }
}

/** A path of certain categories is asked for those; with `!` in front, for all others. */
function isFor({ categories }: SearchPath, wished: readonly string[]): boolean {
  if (categories.length === 0 || wished.length === 0) return true
  const isNegated = categories[0] === '!'
  return wished.some((id) => categories.includes(id)) !== isNegated
}
