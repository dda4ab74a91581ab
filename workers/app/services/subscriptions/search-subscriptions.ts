import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { succeed } from '#shared/kernel/result.ts'
import type { SearchRun, TravellingTorrent } from '../../adapters/d1/subscription-searches.ts'
import { jitter } from '../../core/job-schedule.ts'
import { coversOf, isAllThere, newsOf } from '../../core/media/subscription-search.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { searchesPerTick, searchJitterSeconds, searchRetrySeconds, searchSeconds, searchTickMs } from '../../limits.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { SubscriptionSearch } from '../../ports/subscriptions.ts'
import { type RunSearchDeps, runSearch } from './run-search.ts'

export interface SubscriptionSearchDeps extends RunSearchDeps {
  readonly clock: Clock
  readonly logger: Logger
  /** At least 0 and below 1. */
  readonly random: () => number
  /** Makes the scheduler look at its list, on which what was told stands. */
  readonly wake: () => Promise<void>
}

export interface SubscriptionSearches extends SubscriptionSearch {
  /** Searches for what is due, within bounds. */
  runDue(): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }>
  /** Brings what was pushed for subscriptions in step with the push records. */
  settle(): Promise<void>
}

const crashed: Reason = { kind: 'internal' }

export function createSubscriptionSearches(deps: SubscriptionSearchDeps): SubscriptionSearches {
  const { store, clock, logger, subscriptions, profiles } = deps

  function after(seconds: number): number {
    const nowUnix = unixSeconds(clock)
    return jitter(nowUnix + seconds, nowUnix + seconds + searchJitterSeconds, deps.random())
  }

  async function run(begun: SearchRun): Promise<{ readonly told: Reason; readonly hasCrashed: boolean }> {
    try {
      const { run, told, hasSearched, isTrouble } = await runSearch(deps, begun)
      const nextSearchAtUnix = after(isTrouble ? searchRetrySeconds : searchSeconds)
      await store.end(run, { told, nextSearchAtUnix, hasSearched })
      await finish(begun.id)
      return { told: told ?? { kind: 'none', what: 'subscription' }, hasCrashed: false }
    } catch (cause) {
      logger.error('subscription_search_crashed', { subscription_id: begun.id, cause })
      // Where the lease was renewed since, it runs out by itself.
      await store.end(begun, { told: crashed, nextSearchAtUnix: after(searchRetrySeconds), hasSearched: false })
      return { told: crashed, hasCrashed: true }
    }
  }

  /** Nothing more is searched for once all of it is there. */
  async function finish(id: number): Promise<void> {
    const detail = await subscriptions.read(id)
    if (detail?.record.status !== 'active') return
    const profile = await profiles.of(detail.record.profileId)
    const isDone = isAllThere(detail.record, detail.progress, await store.torrents(id), profile)
    await store.settled(id, isDone ? { kind: 'subscription.all_there' } : undefined)
  }

  async function settleOne(torrent: TravellingTorrent): Promise<void> {
    if (torrent.end.kind === 'not_pushed') return store.drop(torrent.id)
    if (torrent.end.kind === 'failed') return store.fail(torrent.id, torrent.end.reason)
    const detail = await subscriptions.read(torrent.subscriptionId)
    if (detail === undefined) return
    const { record } = detail
    const { episode, episodeEnd, site, title, sizeBytes, downloader } = torrent
    const episodes = episode === null ? undefined : { from: episode, to: episodeEnd ?? episode }
    const entry = (await deps.sites.list()).find((one) => one.record.name === site)
    await store.arrived(torrent, {
      ...newsOf(record, coversOf(record.mediaType, episodes)),
      site: entry?.record.displayName || site,
      title,
      size: sizeBytes,
      downloader,
    })
  }

  /** One that cannot be settled keeps none of the others from it. */
  async function orLog(event: string, id: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      logger.error(event, { id, cause })
    }
  }

  return {
    async searchNow(id) {
      const begun = await store.begin(id)
      if (!begun.ok) return begun
      const { told } = await run(begun.value)
      // What was told, and the next search, stand on the list.
      await deps.wake()
      return succeed(told)
    },

    async runDue() {
      await this.settle()
      const startedMs = clock.nowMs()
      let reason: Reason | undefined
      for (const id of await store.due(searchesPerTick)) {
        if (clock.nowMs() - startedMs >= searchTickMs) break
        const begun = await store.begin(id)
        if (begun.ok && (await run(begun.value)).hasCrashed) reason = crashed
      }
      return { dueAtUnix: await store.nextAtUnix(), ...(reason === undefined ? {} : { reason }) }
    },

    async settle() {
      for (const torrent of await store.ended())
        await orLog('subscription_torrent_not_settled', torrent.id, () => settleOne(torrent))
      for (const id of await store.filled()) await orLog('subscription_not_settled', id, () => finish(id))
    },
  }
}
