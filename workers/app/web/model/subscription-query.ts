/** What the screen of subscriptions shows lives in the address. */

import type { WireSubscription } from '../../contract/subscriptions.ts'
import { subscriptionStatuses } from '../../core/vocabulary.ts'

type SubscriptionStatus = WireSubscription['status']

export const subscriptionWordsMax = 100

export interface SubscriptionQuery {
  /** Undefined: all of them. */
  readonly status: SubscriptionStatus | undefined
  readonly words: string
  /** The one that is open. */
  readonly id: number | undefined
}

export const everySubscription: SubscriptionQuery = { status: undefined, words: '', id: undefined }

export function readSubscriptionQuery(id: number | undefined, search: URLSearchParams): SubscriptionQuery {
  return {
    status: subscriptionStatuses.find((status) => status === search.get('status')),
    words: [...(search.get('q') ?? '')].slice(0, subscriptionWordsMax).join(''),
    id,
  }
}

export function subscriptionHash({ status, words, id }: SubscriptionQuery): string {
  const search = new URLSearchParams()
  if (status !== undefined) search.set('status', status)
  if (words !== '') search.set('q', words)
  const path = id === undefined ? '#/subscriptions' : `#/subscriptions/${id}`
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Parameters of `GET /subscriptions`. The state is not among them: every state is counted, and all come in one answer. */
export function subscriptionParameters({ words }: SubscriptionQuery): URLSearchParams {
  const wanted = words.trim()
  return new URLSearchParams(wanted === '' ? {} : { q: wanted })
}
