/** Subscriptions and their quality profiles. */
import type {
  addConsoleSubscription,
  changeConsoleSubscription,
  QualityProfileBody,
  WireConsoleSubscription,
  WireProfileTrial,
  WireQualityProfile,
} from '../../contract/console-subscriptions.ts'
import type { WireSubscription, WireSubscriptionDetail } from '../../contract/subscriptions.ts'
import { type Answer, app, call, type Done, own, rowsAt, subscriptionSearchPatienceMs } from './call.ts'

export function fetchSubscriptions(
  parameters: URLSearchParams,
  signal?: AbortSignal,
): Promise<Answer<readonly WireSubscription[]>> {
  return call({ method: 'GET', path: `${app}/subscriptions?${parameters}`, signal })
}

export function fetchSubscription(id: number, signal?: AbortSignal): Promise<Answer<WireSubscriptionDetail>> {
  return call({ method: 'GET', path: `${app}/subscriptions/${id}`, signal })
}

export function setSubscriptionStatus(id: number, status: 'active' | 'paused'): Promise<Answer<WireSubscription>> {
  return call({ method: 'POST', path: `${app}/subscriptions/${id}/status`, body: { status } })
}

/** It searches every site once, and may push what it finds. */
export function searchForSubscription(id: number): Promise<Answer<{ readonly message: string }>> {
  return call({
    method: 'POST',
    path: `${app}/subscriptions/${id}/search`,
    body: {},
    patienceMs: subscriptionSearchPatienceMs,
  })
}

export function removeSubscription(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${app}/subscriptions/${id}` })
}

/** With what is chosen for it. */
export function fetchSubscriptionChoices(id: number, signal?: AbortSignal): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'GET', path: `${own}/subscriptions/${id}`, signal })
}

type SubscribeBody = (typeof addConsoleSubscription)['body']['_output']
export function subscribeTo(body: SubscribeBody): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'POST', path: `${own}/subscriptions`, body })
}

type SubscriptionChoicesBody = (typeof changeConsoleSubscription)['body']['_output']
export function changeSubscription(
  id: number,
  body: SubscriptionChoicesBody,
): Promise<Answer<WireConsoleSubscription>> {
  return call({ method: 'PUT', path: `${own}/subscriptions/${id}`, body })
}

export const {
  list: fetchProfiles,
  add: addProfile,
  change: changeProfile,
  remove: removeProfile,
} = rowsAt<WireQualityProfile, QualityProfileBody>(`${own}/quality-profiles`)

export function tryProfile(body: {
  readonly id?: number
  readonly profile: QualityProfileBody
}): Promise<Answer<WireProfileTrial>> {
  return call({ method: 'POST', path: `${own}/quality-profiles/try`, body })
}
