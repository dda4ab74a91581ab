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
import type { Say } from '../../core/reason/say.ts'
import { cutTo } from '../../core/redact.ts'
import { subscriptionMessageCharactersMax } from '../../limits.ts'
import type { SubscriptionDetail } from '../../ports/subscriptions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { removeNamed } from '../remove-named.ts'
import { noSubscription, type SubscribeDeps, subscribe, toWireSubscription } from '../subscribe.ts'

const unsearched: Readonly<Record<'not_found' | 'not_active' | 'busy', Failure>> = {
  not_found: noSubscription,
  not_active: failure('invalid_argument', { kind: 'subscription.not_active' }),
  busy: failure('busy_conflict', { kind: 'subscription.busy' }),
}

export function subscriptionRoutes(deps: SubscribeDeps & Pick<AppDeps, 'subscriptionSearch'>): BoundRoute[] {
  const { subscriptions } = deps
  return [
    bind(listSubscriptions, async ({ query: { status, q }, say }) => {
      const listed = await subscriptions.list({
        ...(status === undefined ? {} : { status }),
        ...(q === undefined ? {} : { keyword: q }),
      })
      return succeed({ body: listed.map((one) => toWireSubscription(one, say)) })
    }),
    bind(getSubscription, async ({ params, say }) => {
      const detail = await subscriptions.read(params.id)
      return detail === undefined ? failWith(noSubscription) : succeed({ body: toWireDetail(detail, say) })
    }),
    bind(addSubscription, async ({ body, principal, say }) => {
      const source = principal.kind === 'chatops' ? 'chatops' : 'app'
      const added = await subscribe(deps, { ...body, source, downloaderId: 0 })
      return added.ok ? succeed({ body: toWireSubscription(added.value, say) }) : added
    }),
    bind(setSubscriptionStatus, async ({ params, body, say }) => {
      const changed = await subscriptions.setStatus(params.id, body.status)
      return changed === undefined ? failWith(noSubscription) : succeed({ body: toWireSubscription(changed, say) })
    }),
    bind(searchSubscription, async ({ params, say }) => {
      const searched = await deps.subscriptionSearch.searchNow(params.id)
      return searched.ok
        ? succeed({ body: { message: say(searched.value), reason: searched.value }, auditReason: searched.value })
        : failWith(unsearched[searched.failure])
    }),
    bind(deleteSubscription, ({ params }) => {
      const list = async () => (await subscriptions.list({})).map(({ record: { id, title } }) => ({ id, name: title }))
      return removeNamed({ list, remove: (id: number) => subscriptions.remove(id) }, params.id, noSubscription)
    }),
  ]
}

function toWireDetail(detail: SubscriptionDetail, say: Say): WireSubscriptionDetail {
  return {
    ...toWireSubscription(detail, say),
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
      ...(torrent.reason === undefined
        ? {}
        : { message: cutTo(say(torrent.reason), subscriptionMessageCharactersMax), reason: torrent.reason }),
      created_at: torrent.createdAtUnix,
    })),
  }
}
