/** Pushing what was found into a downloader. */

import type { pushTorrent } from '../../contract/push.ts'
import type { WireSearchItem } from '../../contract/search.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { pushTitleCharactersMax } from '../../limits.ts'
import type { ApiFailure } from './failure-words.ts'
import { resultKey } from './search-query.ts'

export type PushBody = (typeof pushTorrent)['body']['_input']
export type PushAnswer = (typeof pushTorrent)['answers'][200]['_output']

export interface PushPlace {
  /** Undefined for the one that is the default. */
  readonly downloaderId: number | undefined
  readonly category: string
  readonly tags: string
  readonly savePath: string
}

export function pushBodyOf(item: WireSearchItem, place: PushPlace): PushBody {
  const part = <K extends string>(key: K, text: string) => (text.trim() === '' ? {} : { [key]: text.trim() })
  return {
    site: item.site,
    torrent_id: item.torrent_id,
    title: [...item.title].slice(0, pushTitleCharactersMax).join(''),
    ...(place.downloaderId === undefined ? {} : { downloader_id: place.downloaderId }),
    ...part('category', place.category),
    ...part('tags', place.tags),
    ...part('save_path', place.savePath),
  }
}

/** What became of one push. */
export interface PushResult {
  readonly key: string
  readonly title: string
  readonly outcome: 'pushed' | 'skipped' | 'stopped' | 'failed'
  readonly downloader: string
  /** Why it was stopped. */
  readonly reason: Reason | undefined
  readonly failure: ApiFailure | undefined
}

/** Of a torrent that was pushed or added. */
export function pushOutcome(
  answer: { ok: true; value: { readonly success: boolean; readonly skipped: boolean } } | { ok: false },
): PushResult['outcome'] {
  if (!answer.ok) return 'failed'
  return !answer.value.success ? 'stopped' : answer.value.skipped ? 'skipped' : 'pushed'
}

export function pushResult(
  item: WireSearchItem,
  answer: { ok: true; value: PushAnswer } | { ok: false; failure: ApiFailure },
): PushResult {
  const common = { key: resultKey(item), title: item.title, outcome: pushOutcome(answer) }
  if (!answer.ok) {
    return { ...common, downloader: '', reason: answer.failure.reason, failure: answer.failure }
  }
  const { downloader, reason } = answer.value
  return {
    ...common,
    downloader,
    reason,
    failure: undefined,
  }
}
