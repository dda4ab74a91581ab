import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  SearchHit,
  SignInOutcome,
  SiteMessage,
  SiteQuery,
  SiteReading,
  SiteSettings,
  SiteVisit,
} from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { siteHitsMax, siteMessagesMax } from '../../../limits.ts'
import { feedAddressIn } from '../feed-address.ts'
import { saidRefusal } from '../said-refusal.ts'
import type { SiteDriver } from '../site-driver.ts'
import { type SiteHttp, saidInstead } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'
import { accountOf, memberCounts, memberPage, ownIndex } from './account.ts'
import { dialectOf, type GazelleDialect } from './dialects.ts'
import { isSet, textOf, timeOf } from './torrent-groups.ts'

/** A fork writes some of its flags as the database holds them. */
const flag = z.union([z.boolean(), z.number(), z.string()]).nullish()
/** Where a key is not taken, one fork tells a number for the status. */
const envelope = z.object({
  status: z.union([z.string(), z.number()]),
  error: z.string().nullish(),
  response: z.unknown().optional(),
})
const inbox = z.object({
  messages: z.array(
    z.object({ subject: z.string(), unread: flag, username: z.string().nullish(), date: z.string().nullish() }),
  ),
})

const feedPage = /feeds\.php\?feed=torrents_all&[^\s"'<>]{1,4096}/g

/** Sites built on Gazelle, through `ajax.php` or what a fork has in its place. */
export class GazelleDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp
  readonly #dialect: GazelleDialect

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
    this.#dialect = dialectOf(settings.profile)
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const own = await this.#ownIndex(signal)
    return own.ok ? succeed({}) : own
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const own = await this.#ownIndex(signal)
    if (!own.ok) return own
    const { ask, index, countsPeers } = this.#dialect
    const id = String(own.value.id)
    const page = await this.#ask(ask('user', { id }), memberPage, 'account', signal)
    const beside = countsPeers
      ? await this.#ask(ask('community_stats', { userid: id }), memberCounts, 'account', signal)
      : undefined
    const answers = {
      index: own.value,
      member: page.ok ? page.value : undefined,
      counts: beside?.ok ? beside.value : undefined,
    }
    const pages = { index: ask(index), member: ask('user'), counts: ask('community_stats') }
    return succeed(accountOf(answers, pages, this.#settings.profile.utcOffsetMinutes))
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const answer = await this.#ask(this.#dialect.list(query), z.unknown(), 'list', signal)
    if (!answer.ok) return answer
    const hits = this.#dialect.hitsOf(answer.value, this.#settings.profile.utcOffsetMinutes)
    return hits === undefined ? failWith({ kind: 'broken', part: 'list' }) : succeed(hits.slice(0, siteHitsMax))
  }

  async messages(signal: AbortSignal): Promise<Result<SiteMessage[], SiteFault>> {
    const answer = await this.#ask(
      this.#dialect.ask('inbox', { type: 'inbox', sort: 'unread' }),
      inbox,
      'account',
      signal,
    )
    if (!answer.ok) return answer
    const unread = answer.value.messages.filter((one) => isSet(one.unread)).slice(0, siteMessagesMax)
    return succeed(
      unread.map(({ subject, username, date }) => {
        const atUnix = timeOf(date, this.#settings.profile.utcOffsetMinutes)
        return {
          subject: textOf(subject),
          ...(username == null ? {} : { sender: textOf(username) }),
          ...(atUnix === undefined ? {} : { atUnix }),
        }
      }),
    )
  }

  /** In the head of every page for a browser. The interface has no word of it, and a key opens no page. */
  async feedAddress(signal: AbortSignal): Promise<Result<string, SiteFault>> {
    const { apiKey, cookie } = this.#settings.credentials
    if (cookie === '' || apiKey !== '') return failWith({ kind: 'cookie_needed' })
    const page = await this.#http.text({ path: 'index.php', headers: { cookie } }, signal)
    if (!page.ok) return page
    const { text } = page.value
    const address = feedAddressIn(text, feedPage, /[?&]passkey=[^&]/, this.#settings.baseUrl)
    if (address !== undefined) return succeed(address)
    const said = saidInstead('page', page.value)
    return failWith(said.kind === 'broken' ? { kind: 'no_feed' } : said)
  }

  async signIn(): Promise<Result<SignInOutcome, SiteFault>> {
    return failWith({ kind: 'unsupported' })
  }

  async download(torrentId: string, _downloadKey: string | undefined, signal: AbortSignal) {
    const id = encodeURIComponent(torrentId)
    const { apiKey } = this.#settings.credentials
    // The call for torrents is open to keys only; who comes with a cookie takes them as the page links them.
    if (apiKey !== '' && this.#dialect.givesTorrents)
      return this.#fetchTorrent(this.#dialect.ask('download', { id: torrentId }), signal)
    const own = await this.#ownIndex(signal)
    if (!own.ok) return own
    const keys = new URLSearchParams({ authkey: own.value.authkey ?? '', torrent_pass: own.value.passkey ?? '' })
    return this.#fetchTorrent(`torrents.php?action=download&id=${id}&${keys}`, signal)
  }

  #fetchTorrent(path: string, signal: AbortSignal) {
    return downloadTorrent(this.#http, { path, headers: this.#headers() }, signal)
  }

  #ownIndex(signal: AbortSignal) {
    return this.#ask(this.#dialect.ask(this.#dialect.index), ownIndex, 'account', signal)
  }

  async #ask<T extends z.ZodType>(
    path: string,
    shape: T,
    part: 'account' | 'list',
    signal: AbortSignal,
  ): Promise<Result<z.output<T>, SiteFault>> {
    const answer = await this.#http.json({ path, headers: this.#headers() }, signal)
    if (!answer.ok) return answer
    const parsed = envelope.safeParse(answer.value)
    if (!parsed.success) return failWith({ kind: 'broken', part: 'json' })
    const { status, error, response } = parsed.data
    if (status !== 'success') return failWith(faultOf(error ?? ''))
    const read = shape.safeParse(response)
    return read.success ? succeed(read.data) : failWith({ kind: 'broken', part: part })
  }

  #headers(): Record<string, string> {
    const { apiKey, cookie } = this.#settings.credentials
    return apiKey === '' ? { cookie } : { [this.#dialect.keyHeader]: apiKey }
  }
}

function faultOf(error: string): SiteFault {
  const said = saidRefusal(error)
  if (said !== undefined) return said
  if (/rate limit/i.test(error)) return { kind: 'rate_limited' }
  return /bad credentials|auth|log ?in|token|key .{0,16}not valid/i.test(error)
    ? { kind: 'login_expired' }
    : { kind: 'refused' }
}
