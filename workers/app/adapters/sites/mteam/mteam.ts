import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SearchHit, SignInOutcome, SiteQuery, SiteReading, SiteSettings, SiteVisit } from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { userOf } from '../../../core/site-figures.ts'
import { plainText, readTime, toldCount, toldNumber, toldSize } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteHitsMax, siteTextCharactersMax } from '../../../limits.ts'
import { feedAddressBeside } from '../feed-address.ts'
import type { SiteDriver } from '../site-driver.ts'
import type { SiteHttp } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'
import { refusalOf } from './refusals.ts'

const figure = z.union([z.number(), z.string()]).nullish()
const envelope = z.object({
  code: z.union([z.number(), z.string()]),
  message: z.string().nullish(),
  data: z.unknown().optional(),
})
const profile = z.object({
  id: z.union([z.number(), z.string()]),
  username: z.string().min(1),
  role: figure,
  createdDate: z.string().nullish(),
  memberCount: z.object({ uploaded: figure, downloaded: figure, bonus: figure, shareRate: figure }),
  memberStatus: z.object({ lastLogin: z.string().nullish(), lastBrowse: z.string().nullish() }).nullish(),
})
const peers = z.object({ seederCount: figure, seederSize: figure, leecherCount: figure })
const bonus = z.object({ formulaParams: z.object({ finalBs: figure }) })
const messages = z.object({ unMake: figure })
const list = z.object({ data: z.array(z.unknown()).nullish() })
const item = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string(),
  smallDescr: z.string().nullish(),
  size: figure,
  createdDate: z.string().nullish(),
  category: figure,
  imdb: z.string().nullish(),
  douban: z.string().nullish(),
  labelsNew: z.array(z.string()).nullish(),
  status: z.object({
    seeders: figure,
    leechers: figure,
    timesCompleted: figure,
    discount: z.string().nullish(),
    discountEndTime: z.string().nullish(),
    promotionRule: z.object({ discount: z.string().nullish(), endTime: z.string().nullish() }).nullish(),
    mallSingleFree: z.object({ status: z.string().nullish(), endDate: z.string().nullish() }).nullish(),
  }),
})

const discountByName: Readonly<Record<string, Discount>> = {
  NORMAL: 'NONE',
  FREE: 'FREE',
  PERCENT_50: 'PERCENT_50',
  PERCENT_70: 'PERCENT_70',
  PERCENT_30: 'PERCENT_30',
  _2X: '2XUP',
  _2X_UP: '2XUP',
  _2X_FREE: '2XFREE',
  _2X_PERCENT_50: '2X50',
}

/** The interface has a number for the level, the site a name. A number that is not among these is no level. */
const levelByRole: ReadonlyMap<string, string> = new Map([
  ['1', 'User'],
  ['2', 'Power User'],
  ['3', 'Elite User'],
  ['4', 'Crazy User'],
  ['5', 'Insane User'],
  ['6', 'Veteran User'],
  ['7', 'Extreme User'],
  ['8', 'Ultimate User'],
  ['9', 'mTorrent Master'],
  ['10', 'VIP'],
])
/** Bare titles, with category and size beside them. */
const feedWish = { labels: 0, tkeys: ['ttitle', 'tcat', 'tsize'], pageSize: 50 }
const feedLink = z.object({ dlUrl: z.string() })
const ongoing = 'ONGOING'
/** What is free, and what is free and counts twice when uploaded: a search takes one of them at a time. */
const freeNames = ['FREE', '_2X_FREE'] as const

/** M-Team's JSON API. */
export class MteamDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const account = await this.#ask('member/profile', {}, profile, 'account', signal)
    return account.ok ? succeed(this.#visitOf(account.value)) : account
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const account = await this.#ask('member/profile', {}, profile, 'account', signal)
    if (!account.ok) return account
    const { id, username, role, memberCount, createdDate } = account.value
    const joinedAtUnix = readTime(createdDate ?? '', this.#settings.profile.utcOffsetMinutes)
    // The figures beside the account are good to have: without them the account is still shown.
    const seeds = await this.#ask('tracker/myPeerStatistics', { uid: String(id) }, peers, 'account', signal)
    const hourly = await this.#ask('tracker/mybonus', {}, bonus, 'account', signal)
    const inbox = await this.#ask('msg/notify/statistic', {}, messages, 'account', signal)
    const at = (page: string) => (label: string) => ({ page: `api/${page}`, label })
    const [onAccount, onPeers] = [at('member/profile'), at('tracker/myPeerStatistics')]
    const moved = seeds.ok ? seeds.value : undefined
    const user = userOf(plainText(username, siteTextCharactersMax), [
      ['level', levelByRole.get(String(role)), onAccount('role')],
      ['uploaded', toldCount(memberCount.uploaded), onAccount('memberCount.uploaded')],
      ['downloaded', toldCount(memberCount.downloaded), onAccount('memberCount.downloaded')],
      ['ratio', toldNumber(memberCount.shareRate), onAccount('memberCount.shareRate')],
      ['bonus', toldNumber(memberCount.bonus), onAccount('memberCount.bonus')],
      ['seeding', toldCount(moved?.seederCount), onPeers('seederCount')],
      ['leeching', toldCount(moved?.leecherCount), onPeers('leecherCount')],
      ['seeding_size', toldCount(moved?.seederSize), onPeers('seederSize')],
      [
        'bonus_per_hour',
        hourly.ok ? toldNumber(hourly.value.formulaParams.finalBs) : undefined,
        at('tracker/mybonus')('formulaParams.finalBs'),
      ],
      ['unread_messages', inbox.ok ? toldCount(inbox.value.unMake) : undefined, at('msg/notify/statistic')('unMake')],
    ])
    return succeed({
      ...this.#visitOf(account.value),
      user: { ...user, ...(joinedAtUnix === undefined ? {} : { joinedAtUnix }) },
    })
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    if (!query.freeOnly) return this.#list(query, {}, signal)
    const hits: SearchHit[] = []
    for (const discount of freeNames) {
      const found = await this.#list(query, { discount }, signal)
      if (!found.ok) return found
      hits.push(...found.value.filter(({ torrentId }) => hits.every((hit) => hit.torrentId !== torrentId)))
    }
    return succeed(hits)
  }

  async #list(
    query: SiteQuery,
    filter: { readonly discount?: string },
    signal: AbortSignal,
  ): Promise<Result<SearchHit[], SiteFault>> {
    const answer = await this.#post(
      'torrent/search',
      'application/json',
      JSON.stringify({
        mode: 'normal',
        categories: query.categoryIds,
        keyword: query.keyword,
        pageNumber: 1,
        pageSize: 100,
        ...filter,
      }),
      signal,
    )
    if (!answer.ok) return answer
    const parsed = list.safeParse(answer.value)
    if (!parsed.success) return failWith({ kind: 'broken', part: 'list' })
    const rows = (parsed.data.data ?? []).slice(0, siteHitsMax)
    const hits = rows.flatMap((row) => {
      const read = item.safeParse(row)
      return read.success ? [this.#toHit(read.data)] : []
    })
    return hits.length === 0 && rows.length > 0 ? failWith({ kind: 'broken', part: 'list' }) : succeed(hits)
  }

  async feedAddress(signal: AbortSignal): Promise<Result<string, SiteFault>> {
    const answer = await this.#post('rss/genlink', 'application/json', JSON.stringify(feedWish), signal)
    if (!answer.ok) return answer
    const link = feedLink.safeParse(answer.value)
    const address = link.success ? feedAddressBeside(link.data.dlUrl, this.#settings.baseUrl) : undefined
    return address === undefined ? failWith({ kind: 'no_feed' }) : succeed(address)
  }

  async signIn(): Promise<Result<SignInOutcome, SiteFault>> {
    return failWith({ kind: 'unsupported' })
  }

  /** The site hands out an address that works once. */
  async download(torrentId: string, _downloadKey: string | undefined, signal: AbortSignal) {
    const token = await this.#ask('torrent/genDlToken', { id: torrentId }, z.string().min(1), 'torrent', signal)
    return token.ok ? downloadTorrent(this.#http, { path: token.value }, signal) : token
  }

  #visitOf(account: z.output<typeof profile>): SiteVisit {
    const { lastBrowse, lastLogin } = account.memberStatus ?? {}
    const lastActiveAtUnix = readTime(lastBrowse ?? lastLogin ?? '', this.#settings.profile.utcOffsetMinutes)
    return lastActiveAtUnix === undefined ? {} : { lastActiveAtUnix }
  }

  async #ask<T extends z.ZodType>(
    path: string,
    form: Readonly<Record<string, string>>,
    shape: T,
    part: 'account' | 'torrent',
    signal: AbortSignal,
  ): Promise<Result<z.output<T>, SiteFault>> {
    const body = new URLSearchParams(form).toString()
    const answer = await this.#post(path, 'application/x-www-form-urlencoded', body, signal)
    if (!answer.ok) return answer
    const parsed = shape.safeParse(answer.value)
    return parsed.success ? succeed(parsed.data) : failWith({ kind: 'broken', part })
  }

  async #post(path: string, type: string, body: string, signal: AbortSignal): Promise<Result<unknown, SiteFault>> {
    const headers = { 'content-type': type, 'x-api-key': this.#settings.credentials.apiKey }
    const answer = await this.#http.json({ path, method: 'POST', headers, body }, signal)
    if (!answer.ok) return answer
    const parsed = envelope.safeParse(answer.value)
    if (!parsed.success) return failWith({ kind: 'broken', part: 'json' })
    const { code, message, data } = parsed.data
    if (String(code) === '0') return succeed(data)
    return failWith(refusalOf(String(code), message ?? ''))
  }

  #toHit(row: z.output<typeof item>): SearchHit {
    const { status } = row
    const zone = this.#settings.profile.utcOffsetMinutes
    const uploadedAtUnix = readTime(row.createdDate ?? '', zone)
    // What members paid for stays there when it is over.
    const isSingleFree = status.mallSingleFree != null && (status.mallSingleFree.status ?? ongoing) === ongoing
    const rule = status.promotionRule
    const name = isSingleFree ? 'FREE' : (rule?.discount ?? status.discount)
    const endText = isSingleFree ? status.mallSingleFree?.endDate : (rule?.endTime ?? status.discountEndTime)
    const discountEndAtUnix = readTime(endText ?? '', zone)
    const imdbId = /tt[0-9]{5,10}/.exec(row.imdb ?? '')?.[0]
    const doubanId = /subject\/([0-9]{1,12})/.exec(row.douban ?? '')?.[1]
    return {
      torrentId: String(row.id),
      title: plainText(row.name, siteTextCharactersMax),
      subtitle: row.smallDescr ? plainText(row.smallDescr, siteTextCharactersMax) : undefined,
      sizeBytes: toldSize(row.size),
      seeders: toldCount(status.seeders),
      leechers: toldCount(status.leechers),
      snatched: toldCount(status.timesCompleted),
      uploadedAtUnix,
      category: row.category == null ? undefined : plainText(String(row.category), siteTextCharactersMax),
      tags: (row.labelsNew ?? []).slice(0, 32).map((tag) => plainText(tag, siteTextCharactersMax)),
      // By a name that is not known it is on, and nobody knows what.
      discount: discountByName[name ?? ''],
      discountEndAtUnix,
      hasHr: false,
      imdbId,
      doubanId,
    }
  }
}
