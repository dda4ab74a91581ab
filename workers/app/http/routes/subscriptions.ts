import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  addSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  searchSubscription,
  setSubscriptionStatus,
  type WireSubscriptionDetail,
} from '../../contract/subscriptions.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { AppDeps, SubscriptionDetail } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { noSubscription, type SubscribeDeps, subscribe, toWireSubscription } from '../subscribe.ts'

const unsearched: Readonly<Record<'not_found' | 'not_active' | 'busy', Failure>> = {
  not_found: noSubscription,
  not_active: failure('invalid_argument', '只有进行中的订阅可以搜索'),
  busy: failure('busy_conflict', '正在为这个订阅搜索，请稍后再试'),
}

export function subscriptionRoutes(deps: SubscribeDeps & Pick<AppDeps, 'subscriptionHunt'>): BoundRoute[] {
  const { subscriptions } = deps
  return [
    bind(listSubscriptions, async ({ query: { status, q } }) => {
      const listed = await subscriptions.list({
        ...(status === undefined ? {} : { status }),
        ...(q === undefined ? {} : { keyword: q }),
      })
      return succeed({ body: listed.map(toWireSubscription) })
    }),
    bind(getSubscription, async ({ params }) => {
      const detail = await subscriptions.read(params.id)
      return detail === undefined ? failWith(noSubscription) : succeed({ body: toWireDetail(detail) })
    }),
    bind(addSubscription, async ({ body }) => {
      const added = await subscribe(deps, { ...body, source: 'app', downloaderId: 0 })
      return added.ok ? succeed({ body: toWireSubscription(added.value) }) : added
    }),
    bind(setSubscriptionStatus, async ({ params, body }) => {
      const changed = await subscriptions.setStatus(params.id, body.status)
      return changed === undefined ? failWith(noSubscription) : succeed({ body: toWireSubscription(changed) })
    }),
    bind(searchSubscription, async ({ params }) => {
      const searched = await deps.subscriptionHunt.searchNow(params.id)
      return searched.ok ? succeed({ body: searched.value }) : failWith(unsearched[searched.failure])
    }),
    bind(deleteSubscription, async ({ params }) =>
      (await subscriptions.remove(params.id)) ? succeed({ body: { ok: true as const } }) : failWith(noSubscription),
    ),
  ]
}

function toWireDetail(detail: SubscriptionDetail): WireSubscriptionDetail {
  return {
    ...toWireSubscription(detail),
    episodes: detail.episodes.map(({ number, name, airDate, state }) => ({
      number,
      ...(name === '' ? {} : { name }),
      ...(airDate === undefined ? {} : { air_date: airDate }),
      state,
    })),
    torrents: detail.torrents.map((torrent) => ({
      site: torrent.site,
      torrent_id: torrent.torrentId,
      title: torrent.title,
      status: torrent.status,
      ...(torrent.episode === undefined ? {} : { episode: torrent.episode }),
      ...(torrent.episodeEnd === undefined ? {} : { episode_end: torrent.episodeEnd }),
      complete: torrent.complete,
      size: torrent.sizeBytes,
      ...(torrent.message === '' ? {} : { message: torrent.message }),
      created_at: torrent.createdAtUnix,
    })),
  }
}
