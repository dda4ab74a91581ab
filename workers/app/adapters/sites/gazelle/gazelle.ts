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
import { userOf } from '../../../core/site-figures.ts'
import { plainText, readTime, toldCount, toldNumber } from '../../../core/site-numbers.ts'
import { siteHitsMax, siteMessagesMax, siteTextCharactersMax } from '../../../limits.ts'
import { feedAddressIn } from '../feed-address.ts'
import { saidRefusal } from '../said-refusal.ts'
import type { SiteDriver } from '../site-driver.ts'
import { type SiteHttp, saidInstead } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'
import { hitsOf, isSet, textOf, timeOf } from './torrent-groups.ts'

const figure = z.union([z.number(), z.string()]).nullish()
/** A fork writes some of its flags as the database holds them. */
const flag = z.union([z.boolean(), z.number(), z.string()]).nullish()
const envelope = z.object({ status: z.string(), error: z.string().nullish(), response: z.unknown().optional() })
const index = z.object({
  id: z.union([z.number(), z.string()]),
  username: z.string().min(1),
  /** They open downloads for who is signed in by a cookie. */
  authkey: z.string().nullish(),
  passkey: z.string().nullish(),
  userstats: z.object({
    uploaded: figure,
    downloaded: figure,
    ratio: figure,
    class: z.string().nullish(),
    bonusPoints: figure,
    bonusPointsPerHour: figure,
  }),
  notifications: z.object({ messages: figure }).nullish(),
})
const member = z.object({
  stats: z.object({ lastAccess: z.string().nullish(), joinedDate: z.string().nullish() }).nullish(),
  community: z.object({ seeding: figure, leeching: figure }).nullish(),
})
const inbox = z.object({
  messages: z.array(
    z.object({ subject: z.string(), unread: flag, username: z.string().nullish(), date: z.string().nullish() }),
  ),
})
const browse = z.object({ results: z.array(z.unknown()) })

const feedPage = /feeds\.php\?feed=torrents_all&[^\s"'<>]{1,4096}/g

/** Sites built on Gazelle, through `ajax.php`. */
export class GazelleDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const own = await this.#ask('action=index', index, 'account', signal)
    return own.ok ? succeed({}) : own
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const own = await this.#ask('action=index', index, 'account', signal)
    if (!own.ok) return own
    const { id, username, userstats, notifications } = own.value
    // The member page is good to have: without it the account is still shown.
    const page = await this.#ask(`action=user&id=${encodeURIComponent(String(id))}`, member, 'account', signal)
    const lastAccess = page.ok ? (page.value.stats?.lastAccess ?? '') : ''
    const lastActiveAtUnix = readTime(lastAccess, this.#settings.profile.utcOffsetMinutes)
    const joined = page.ok ? (page.value.stats?.joinedDate ?? '') : ''
    const joinedAtUnix = readTime(joined, this.#settings.profile.utcOffsetMinutes)
    const community = page.ok ? page.value.community : undefined
    const onIndex = (label: string) => ({ page: 'ajax.php?action=index', label })
    const onMember = (label: string) => ({ page: 'ajax.php?action=user', label })
    return succeed({
      ...(lastActiveAtUnix === undefined ? {} : { lastActiveAtUnix }),
      user: {
        ...userOf(plainText(username, siteTextCharactersMax), [
          [
            'level',
            userstats.class == null ? undefined : plainText(userstats.class, siteTextCharactersMax),
            onIndex('userstats.class'),
          ],
          ['uploaded', toldCount(userstats.uploaded), onIndex('userstats.uploaded')],
          ['downloaded', toldCount(userstats.downloaded), onIndex('userstats.downloaded')],
          ['ratio', toldRatio(userstats), onIndex('userstats.ratio')],
          ['bonus', toldNumber(userstats.bonusPoints), onIndex('userstats.bonusPoints')],
          ['bonus_per_hour', toldNumber(userstats.bonusPointsPerHour), onIndex('userstats.bonusPointsPerHour')],
          ['seeding', toldCount(community?.seeding), onMember('community.seeding')],
          ['leeching', toldCount(community?.leeching), onMember('community.leeching')],
          ['unread_messages', toldCount(notifications?.messages), onIndex('notifications.messages')],
        ]),
        ...(joinedAtUnix === undefined ? {} : { joinedAtUnix }),
      },
    })
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const parameters = new URLSearchParams({ action: 'browse', searchstr: query.keyword, page: '1' })
    for (const id of query.categoryIds) parameters.set(`filter_cat[${id}]`, '1')
    if (query.freeOnly) parameters.set('freetorrent', '1')
    const answer = await this.#ask(parameters.toString(), browse, 'list', signal)
    if (!answer.ok) return answer
    const { results } = answer.value
    const hits = results.flatMap((group) => hitsOf(group, this.#settings.profile.utcOffsetMinutes))
    if (hits.length === 0 && results.length > 0) return failWith({ kind: 'broken', part: 'list' })
    return succeed(hits.slice(0, siteHitsMax))
  }

  async messages(signal: AbortSignal): Promise<Result<SiteMessage[], SiteFault>> {
    const answer = await this.#ask('action=inbox&type=inbox&sort=unread', inbox, 'account', signal)
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
    if (apiKey !== '') return this.#fetchTorrent(`ajax.php?action=download&id=${id}`, signal)
    const own = await this.#ask('action=index', index, 'account', signal)
    if (!own.ok) return own
    const keys = new URLSearchParams({ authkey: own.value.authkey ?? '', torrent_pass: own.value.passkey ?? '' })
    return this.#fetchTorrent(`torrents.php?action=download&id=${id}&${keys}`, signal)
  }

  #fetchTorrent(path: string, signal: AbortSignal) {
    return downloadTorrent(this.#http, { path, headers: this.#headers() }, signal)
  }

  async #ask<T extends z.ZodType>(
    query: string,
    shape: T,
    part: 'account' | 'list',
    signal: AbortSignal,
  ): Promise<Result<z.output<T>, SiteFault>> {
    const answer = await this.#http.json({ path: `ajax.php?${query}`, headers: this.#headers() }, signal)
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
    return apiKey === '' ? { cookie } : { authorization: apiKey }
  }
}

/**
 * What cannot be divided is told as 0 or -1. From a thousand on the software reads its own `1,234.56` up to the comma, and
 * tells 1: such a ratio is left to both sides of it.
 */
function toldRatio({ uploaded, downloaded, ratio }: z.output<typeof index>['userstats']): number | undefined {
  const [up, down] = [toldCount(uploaded) ?? 0, toldCount(downloaded) ?? 0]
  return down > 0 && up / down < 1000 ? toldNumber(ratio) : undefined
}

function faultOf(error: string): SiteFault {
  const said = saidRefusal(error)
  if (said !== undefined) return said
  if (/rate limit/i.test(error)) return { kind: 'rate_limited' }
  return /bad credentials|auth|log ?in|token/i.test(error) ? { kind: 'login_expired' } : { kind: 'refused' }
}
