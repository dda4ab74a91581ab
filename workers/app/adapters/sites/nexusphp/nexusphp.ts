import type { Document } from 'domhandler'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Masked } from '../../../core/masking.ts'
import {
  isFree,
  type PiecesAnswer,
  type SearchHit,
  type SignInOutcome,
  type SiteFixture,
  type SiteMessage,
  type SiteQuery,
  type SiteReading,
  type SiteSettings,
  type SiteVisit,
} from '../../../core/site.ts'
import type { SiteFault, SitePart } from '../../../core/site-fault.ts'
import { type FigureName, placesDiffer, type ReadFigure, type SiteUser, userOf } from '../../../core/site-figures.ts'
import { fixturePageCharactersMax } from '../../../limits.ts'
import { feedAddressIn } from '../feed-address.ts'
import { fixturePage } from '../fixture-page.ts'
import { parseMarkup, spacedText } from '../markup.ts'
import { saidRefusal } from '../said-refusal.ts'
import type { SiteDriver, SiteRuntime } from '../site-driver.ts'
import { formType, isChallenge, readsAsLogin, type SiteHttp } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'
import { type HomeFacts, readHome } from './account-block.ts'
import { type AccountFacts, type RowFigure, readAccount } from './account-page.ts'
import { fixtureWords } from './account-words.ts'
import { readBonusPerHour } from './bonus-page.ts'
import { readUnread } from './message-list.ts'
import { PiecesLookup } from './pieces-lookup.ts'
import { readSeeding, type SeedingFacts } from './seeding-list.ts'
import { saidInJson, sentOn, signInForm, signInOutcome } from './sign-in-page.ts'
import { readTorrentList } from './torrent-list.ts'

/** The software's numbers for what is free, and for what is free and counts twice when uploaded. */
const freeStates = ['2', '4'] as const
const unreadMailbox = 'messages.php?action=viewmailbox&box=1&unread=yes'
/** Bare titles, and a number of rows that old and new versions of the form have. */
const feedForm = 'showrows=50&inclbookmarked=0'
const feedPage = /torrentrss\.php\?[^\s"'<>]{1,4096}/g

/** What two pages that were read some seconds apart may differ by. */
const movedSlack = { share: 0.02, amount: 1024 ** 3 }
const bonusSlack = { share: 0.01, amount: 100 }
const countSlack = { share: 0.05, amount: 5 }
const noSlack = { share: 0, amount: 0 }

/** Sites built on NexusPHP: pages for people, read with the owner's cookie. */
export class NexusphpDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp
  readonly #runtime: Pick<SiteRuntime, 'nowMs'>
  readonly #pieces: PiecesLookup

  constructor(settings: SiteSettings, http: SiteHttp, runtime: Pick<SiteRuntime, 'nowMs'>) {
    this.#settings = settings
    this.#http = http
    this.#runtime = runtime
    this.#pieces = new PiecesLookup(http, (signal) => this.feedAddress(signal))
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const home = await this.#home(signal)
    // Looking at a page is a visit: the site counts it like one from a browser.
    return home.ok ? succeed({ lastActiveAtUnix: this.#nowUnix() }) : home
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const home = await this.#home(signal)
    if (!home.ok) return home
    const { userQuery } = home.value
    const accountPage = await this.#page(withQuery(this.#path('user', 'userdetails.php'), userQuery), signal)
    if (!accountPage.ok) return accountPage
    const account = readAccount(accountPage.value, this.#settings.profile)
    if (account === undefined) return failWith(saidOn(accountPage.value, 'account'))
    // Not every site has these pages, and the account is worth showing without them.
    const seedingPage = await this.#other('seeding', 'getusertorrentlistajax.php', (path) =>
      this.#fragment(withQuery(path, `user${userQuery}&type=seeding`), signal),
    )
    const seeding = seedingPage?.ok ? readSeeding(seedingPage.value, this.#settings.profile) : {}
    const bonusPage = await this.#other('bonus', 'mybonus.php', (path) => this.#page(path, signal))
    const bonusPerHour = bonusPage?.ok ? readBonusPerHour(bonusPage.value, this.#settings.profile) : undefined
    return succeed({
      lastActiveAtUnix: Math.max(this.#nowUnix(), account.lastActiveAtUnix ?? 0),
      user: this.#userOf(home.value, account, seeding, bonusPerHour),
    })
  }

  /** A page beside the account's own; undefined where that one has it all. */
  async #other<Answer>(
    name: string,
    usual: string,
    ask: (path: string) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const path = this.#path(name, usual)
    return path === this.#path('user', 'userdetails.php') ? undefined : ask(path)
  }

  /** The account's own page before the block on top of every page, and both compared. */
  #userOf(home: HomeFacts, account: AccountFacts, seeding: SeedingFacts, bonusPerHour: number | undefined): SiteUser {
    const details = this.#path('user', 'userdetails.php')
    const list = { page: this.#path('seeding', 'getusertorrentlistajax.php') }
    const block = { page: this.#path('home', 'index.php'), row: 'info_block' }
    const row = (name: FigureName, found: RowFigure<number | string> | undefined): ReadFigure => {
      const { value, ...place } = found ?? { value: undefined }
      return [name, value, { page: details, ...place }]
    }
    const { uploadedBytes, downloadedBytes, ratio, bonus, hnrUnsatisfied } = account
    const { joinedAtUnix, seedingPoints } = account
    const user = userOf(
      account.username ?? home.username,
      [
        row('level', account.level),
        row('uploaded', uploadedBytes),
        ['uploaded', home.uploadedBytes, block],
        row('downloaded', downloadedBytes),
        ['downloaded', home.downloadedBytes, block],
        row('ratio', ratio),
        ['ratio', home.ratio, block],
        row('bonus', bonus),
        ['bonus', home.bonus, block],
        ['bonus_per_hour', bonusPerHour, { page: this.#path('bonus', 'mybonus.php') }],
        ['seeding', seeding.count, list],
        ['seeding', home.seeding, block],
        row('seeding', account.seeding),
        ['leeching', home.leeching, block],
        ['seeding_size', seeding.sizeBytes, list],
        row('seeding_size', account.seedingSizeBytes),
        // Nothing that is seeded has no size.
        ['seeding_size', home.seeding === 0 ? 0 : undefined, block],
        // New messages without their number are an unknown number.
        ['unread_messages', home.unreadMessages, block],
        row('hnr_unsatisfied', hnrUnsatisfied),
        ['hnr_unsatisfied', home.hnrUnsatisfied, block],
      ],
      [
        ...(account.contradictory ?? []).map((figure) => ({ figure, rule: 'places' as const })),
        placesDiffer('uploaded', uploadedBytes?.value, home.uploadedBytes, movedSlack),
        placesDiffer('downloaded', downloadedBytes?.value, home.downloadedBytes, movedSlack),
        placesDiffer('bonus', bonus?.value, home.bonus, bonusSlack),
        placesDiffer('seeding', seeding.count, home.seeding, countSlack),
        placesDiffer('hnr_unsatisfied', hnrUnsatisfied?.value, home.hnrUnsatisfied, noSlack),
        seeding.isSumWrong === true ? { figure: 'seeding_size', rule: 'sum' } : undefined,
      ],
    )
    return {
      ...user,
      ...(joinedAtUnix === undefined ? {} : { joinedAtUnix }),
      ...(seedingPoints === undefined ? {} : { seedingPoints }),
    }
  }

  async messages(signal: AbortSignal): Promise<Result<SiteMessage[], SiteFault>> {
    const page = await this.#page(unreadMailbox, signal)
    if (!page.ok) return page
    const unread = readUnread(page.value, this.#settings.profile.utcOffsetMinutes)
    return unread === undefined ? failWith({ kind: 'broken', part: 'page' }) : succeed(unread)
  }

  /** The form makes the address; it keeps nothing at the site. */
  async feedAddress(signal: AbortSignal): Promise<Result<string, SiteFault>> {
    const page = await this.#text(this.#path('feed', 'getrss.php'), signal, hasEnd, feedForm)
    if (!page.ok) return page
    const address = feedAddressIn(page.value, feedPage, /[?&]passkey=[^&]/, this.#settings.baseUrl)
    return address === undefined ? failWith({ kind: 'no_feed' }) : succeed(address)
  }

  findByPieces(hashes: readonly string[], signal: AbortSignal): Promise<PiecesAnswer> {
    return this.#pieces.ask({ path: this.#path('pieces', 'api/pieces-hash'), headers: this.#headers() }, hashes, signal)
  }

  /** As far as the site hands its pages out: a page that is missing is missing in the fixture too. */
  async fixture(signal: AbortSignal): Promise<Result<SiteFixture, SiteFault>> {
    const first = this.#path('home', 'index.php')
    const home = await this.#text(first, signal, () => true)
    if (!home.ok) return home
    const read = readHome(parseMarkup(home.value), this.#settings.profile)
    const userQuery = read?.userQuery ?? /userdetails\.php\?(id=[0-9]{1,18})/.exec(home.value)?.[1] ?? 'id='
    const details = this.#path('user', 'userdetails.php')
    const list = this.#path('seeding', 'getusertorrentlistajax.php')
    const others = [
      [details, withQuery(details, userQuery)],
      [list, withQuery(list, `user${userQuery}&type=seeding`)],
      [this.#path('bonus', 'mybonus.php')],
      [this.#path('search', 'torrents.php')],
    ] as const
    const pages = [{ page: first, text: home.value }]
    for (const [page, address = page] of others) {
      const text = await this.#text(address, signal, () => true)
      if (text.ok) pages.push({ page, text: text.value })
    }
    const { cookie, apiKey } = this.#settings.credentials
    const cookies = cookie.split(/;\s*/).map((one) => one.slice(one.indexOf('=') + 1))
    const replaced: Partial<Record<Masked, number>> = {}
    const masking = {
      known: fixtureWords(this.#settings.profile.labels),
      secrets: [
        read?.username ?? '',
        userQuery.slice(userQuery.indexOf('=') + 1),
        apiKey,
        ...cookies,
        ...cookies.map(decoded),
      ],
      salt: crypto.randomUUID(),
      note: (what: Masked) => {
        replaced[what] = (replaced[what] ?? 0) + 1
      },
    }
    const shown = pages.map(({ page, text }) => ({
      page,
      text: fixturePage(text.slice(0, fixturePageCharactersMax), { ...masking, hasDetails: page === details }),
    }))
    return succeed({ pages: shown, replaced })
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    if (!this.#settings.profile.searches) return failWith({ kind: 'unsupported' })
    const described = this.#path('search', '')
    if (described.includes('{keyword}')) return this.#describedList(described, query, signal)
    const parameters = new URLSearchParams({ search: query.keyword, search_area: '0', incldead: '1', page: '0' })
    for (const id of query.categoryIds) parameters.set(`cat${id}`, '1')
    if (!query.freeOnly) return this.#list(parameters, signal)
    // The site's filter takes one promotion at a time, and two of them are free.
    const hits: SearchHit[] = []
    for (const state of freeStates) {
      parameters.set('spstate', state)
      const found = await this.#list(parameters, signal)
      if (!found.ok) return found
      hits.push(...found.value.filter(({ torrentId }) => hits.every((hit) => hit.torrentId !== torrentId)))
    }
    return succeed(hits)
  }

  /** Of a site that is asked otherwise, and that has no filter for what is free. */
  async #describedList(path: string, query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const found = await this.#listAt(searchAddress(path, query), signal)
    if (!found.ok) return found
    const page = this.#settings.profile.paths['torrent']
    const shown = (hit: SearchHit): SearchHit =>
      page === undefined || query.withPages !== true
        ? hit
        : { ...hit, pageUrl: `${this.#settings.baseUrl}/${withQuery(page, `id=${hit.torrentId}`)}` }
    return succeed(found.value.filter(({ discount }) => !query.freeOnly || isFree(discount)).map(shown))
  }

  #list(parameters: URLSearchParams, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    return this.#listAt(`${this.#path('search', 'torrents.php')}?${parameters}`, signal)
  }

  async #listAt(address: string, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const page = await this.#text(address, signal, hasEnd)
    if (!page.ok) return page
    const hits = readTorrentList(page.value, this.#settings.profile)
    return hits === undefined ? failWith(saidRefusal(page.value) ?? { kind: 'broken', part: 'list' }) : succeed(hits)
  }

  async signIn(signal: AbortSignal): Promise<Result<SignInOutcome, SiteFault>> {
    if (!this.#settings.profile.signsIn) return failWith({ kind: 'unsupported' })
    const path = this.#path('sign_in', 'attendance.php')
    const page = await this.#signInPage(path, signal)
    if (!page.ok) return page
    const told = signInOutcome(page.value)
    if (told !== undefined) return succeed(told)
    const form = signInForm(page.value, path)
    if (form === undefined) return failWith(saidOn(page.value, 'sign_in'))
    const answer = await this.#signInPage(path, signal, form.toString())
    if (!answer.ok) return answer
    const outcome = signInOutcome(answer.value)
    return outcome === undefined ? failWith({ kind: 'broken', part: 'sign_in' }) : succeed(outcome)
  }

  /** A page, what an answer in JSON says, or where a script sends the browser, once. */
  async #signInPage(path: string, signal: AbortSignal, form?: string): Promise<Result<Document, SiteFault>> {
    const isTold = (text: string) => hasEnd(text) || saidInJson(text) !== undefined
    const first = await this.#text(path, signal, (text) => isTold(text) || sentOn(text) !== undefined, form)
    const onward = first.ok ? sentOn(first.value) : undefined
    const answer = onward === undefined ? first : await this.#text(onward, signal, isTold)
    return answer.ok ? succeed(parseMarkup(saidInJson(answer.value) ?? answer.value)) : answer
  }

  async download(torrentId: string, downloadKey: string | undefined, signal: AbortSignal) {
    const key = downloadKey === undefined ? '' : `&${downloadKey}`
    const page = this.#path('download', 'download.php')
    const path = page.includes('{id}')
      ? page.replaceAll('{id}', encodeURIComponent(torrentId))
      : `${page}?id=${encodeURIComponent(torrentId)}${key}`
    return downloadTorrent(this.#http, { path, headers: this.#headers() }, signal)
  }

  async #home(signal: AbortSignal): Promise<Result<HomeFacts, SiteFault>> {
    const page = await this.#page(this.#path('home', 'index.php'), signal)
    if (!page.ok) return page
    const home = readHome(page.value, this.#settings.profile)
    return home === undefined ? failWith(saidOn(page.value, 'account')) : succeed(home)
  }

  /** A whole page. One without its end was cut on its way, and its last figures may be halves. */
  async #page(path: string, signal: AbortSignal): Promise<Result<Document, SiteFault>> {
    return parsed(await this.#text(path, signal, hasEnd))
  }

  async #fragment(path: string, signal: AbortSignal): Promise<Result<Document, SiteFault>> {
    return parsed(await this.#text(path, signal, () => true))
  }

  async #text(
    path: string,
    signal: AbortSignal,
    isWhole: (text: string) => boolean,
    form?: string,
  ): Promise<Result<string, SiteFault>> {
    const headers = this.#headers()
    const sent =
      form === undefined
        ? { path, headers }
        : { path, method: 'POST' as const, headers: { ...headers, 'content-type': formType }, body: form }
    const answer = await this.#http.text(sent, signal)
    if (!answer.ok) return answer
    const { text, url } = answer.value
    if (isChallenge(text)) return failWith({ kind: 'challenge' })
    if (readsAsLogin(url, text)) return failWith({ kind: 'login_expired' })
    return isWhole(text) ? succeed(text) : failWith(saidRefusal(text) ?? { kind: 'broken', part: 'page' })
  }

  #path(page: string, usual: string): string {
    return this.#settings.profile.paths[page] ?? usual
  }

  #headers(): Record<string, string> {
    return { cookie: this.#settings.credentials.cookie }
  }

  #nowUnix(): number {
    return Math.floor(this.#runtime.nowMs() / 1000)
  }
}

/** `browse.php?search={keyword}&c{id}=1`: the parameter of a category is there as often as there are categories. */
function searchAddress(path: string, { keyword, categoryIds }: SiteQuery): string {
  const [page = '', query = ''] = path.split('?', 2)
  const parameters = query.split('&').flatMap((parameter) => {
    if (!parameter.includes('{id}')) return [parameter.replaceAll('{keyword}', encodeURIComponent(keyword))]
    return categoryIds.map((id) => parameter.replaceAll('{id}', encodeURIComponent(id)))
  })
  return `${page}?${parameters.join('&')}`
}

/** A page of the owner's may have a query of its own. */
function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function saidOn(page: Document, part: SitePart): SiteFault {
  return saidRefusal(spacedText(page)) ?? { kind: 'broken', part }
}

function hasEnd(text: string): boolean {
  return /<\/html\s{0,3}>/i.test(text.slice(-1024))
}

function parsed(page: Result<string, SiteFault>): Result<Document, SiteFault> {
  return page.ok ? succeed(parseMarkup(page.value)) : page
}
