import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addFeed,
  changeFeed,
  type FeedBody,
  listFeeds,
  removeFeed,
  runFeed,
  type WireFeed,
} from '../../contract/console-feeds.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { likeServer, parseAnnounceAddress, readAnnounceLine } from '../../core/feeds/announce.ts'
import { parseFeedAddress } from '../../core/feeds/feed-address.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Say } from '../../core/reason/say.ts'
import { canSearch } from '../../core/site.ts'
import { feedsMax } from '../../limits.ts'
import type { Feed, FeedChange } from '../../ports/feeds.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { removeNamed } from '../remove-named.ts'

const noFeed = failure('not_found', { kind: 'none', what: 'feed' })
const refusals = {
  not_found: noFeed,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'feed' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'feed', limit: feedsMax }),
  secrets: failure('unavailable', { kind: 'cannot_seal', what: 'feed' }),
} as const

export function consoleFeedRoutes(deps: Pick<AppDeps, 'feeds' | 'sites' | 'siteFleet' | 'machine'>): BoundRoute[] {
  const { feeds } = deps

  /** The site may be switched off, and may not be missing. */
  async function toChange(body: FeedBody, present?: Feed): Promise<Result<FeedChange, Failure>> {
    const site = await deps.sites.find(body.site)
    if (site === undefined) return failWith(wrongField('site', { kind: 'none', what: 'site' }))
    if (!canSearch(site.record.kind, site.record.profile))
      return failWith(wrongField('site', { kind: 'rule.no_torrent_list' }))
    const { name, enabled, every_minutes: everyMinutes, announces } = body
    if (announces !== undefined && readAnnounceLine(announces.line) === undefined)
      return failWith(wrongField('announces.line', { kind: 'rule.one_of', values: ['{title} {id}', '{title} {link}'] }))
    if (announces !== undefined && !(await deps.machine.joinChannels()))
      return failWith(wrongField('announces', { kind: 'announce.own_machine' }))
    const isChannel = announces !== undefined
    const channel = isChannel ? { announces, ...(body.enter === undefined ? {} : { enter: body.enter }) } : {}
    const change = { name, enabled, everyMinutes, siteId: site.record.id, ...channel }
    if (body.learn && (isChannel || body.address !== undefined))
      return failWith(wrongField('learn', { kind: 'rule.one_of', values: ['address', 'announces', 'learn'] }))
    if (body.learn) {
      const told = await deps.siteFleet.feedAddress(site.target)
      const learned = told.ok ? parseFeedAddress(told.value) : failWith(siteReason(told.failure))
      return learned.ok
        ? succeed({ ...change, address: learned.value })
        : failWith(wrongField('learn', learned.failure))
    }
    if (body.address === undefined) {
      // What is stored is the address of a feed, or of a channel's server.
      const wasChannel = present?.announces !== undefined
      if (isChannel && !wasChannel) return failWith(wrongField('address', likeServer))
      return succeed(wasChannel && !isChannel ? { ...change, address: '' } : change)
    }
    const parse = isChannel ? parseAnnounceAddress : parseFeedAddress
    const address = body.address === '' && !isChannel ? succeed('') : parse(body.address)
    return address.ok
      ? succeed({ ...change, address: address.value })
      : failWith(wrongField('address', address.failure))
  }

  return [
    bind(listFeeds, async ({ say }) =>
      succeed({ body: { items: (await feeds.list()).map((feed) => toWireFeed(feed, say)) } }),
    ),
    bind(addFeed, async ({ body, say }) => {
      const change = await toChange(body)
      return change.ok ? stored(await feeds.add(change.value), say) : change
    }),
    bind(changeFeed, async ({ params, body, say }) => {
      const present = (await feeds.list()).find(({ id }) => id === params.id)
      const change = await toChange(body, present)
      return change.ok ? stored(await feeds.update(params.id, change.value), say) : change
    }),
    bind(removeFeed, ({ params }) => removeNamed(feeds, params.id, noFeed)),
    bind(runFeed, async ({ params }) =>
      (await feeds.runSoon(params.id))
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', { kind: 'none', what: 'feed_on' })),
    ),
  ]
}

function stored(outcome: Result<Feed, keyof typeof refusals>, say: Say): Result<{ readonly body: WireFeed }, Failure> {
  return outcome.ok ? succeed({ body: toWireFeed(outcome.value, say) }) : failWith(refusals[outcome.failure])
}

function toWireFeed(feed: Feed, say: Say): WireFeed {
  return {
    id: feed.id,
    name: feed.name,
    enabled: feed.enabled,
    site: feed.site,
    site_enabled: feed.siteEnabled,
    host: feed.host,
    every_minutes: feed.everyMinutes,
    ...(feed.announces === undefined
      ? {}
      : { announces: { ...feed.announces, announcers: [...feed.announces.announcers] } }),
    ...(feed.hasEnter ? { enters: true as const } : {}),
    due_at: feed.dueAtUnix,
    ...(feed.lastFinishedAtUnix === undefined ? {} : { last_at: feed.lastFinishedAtUnix }),
    ...(feed.lastItemAtUnix === undefined ? {} : { last_item_at: feed.lastItemAtUnix }),
    found: feed.found,
    taken: feed.taken,
    ...(feed.lastReason === undefined ? {} : { last_error: say(feed.lastReason), reason: feed.lastReason }),
  }
}
