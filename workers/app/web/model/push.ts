/** Pushing what was found into a downloader. */

import type { pushTorrent } from '../../contract/push.ts'
import type { PushWhyBody } from '../../contract/push-why.ts'
import type { WireSearchItem } from '../../contract/search.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { toldFigure } from '../../core/search-figures.ts'
import { pushCategoryCharactersMax, pushTitleCharactersMax, ruleWordsMax } from '../../limits.ts'
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
    title: cut(item.title, pushTitleCharactersMax),
    ...(place.downloaderId === undefined ? {} : { downloader_id: place.downloaderId }),
    ...part('category', place.category),
    ...part('tags', place.tags),
    ...part('save_path', place.savePath),
  }
}

export function cut(text: string, charactersMax: number): string {
  return [...text].slice(0, charactersMax).join('')
}

const infoHash = /^[0-9a-f]{40}$/i

/** What is undefined is not sent: the site did not tell it. */
export function whyBodyOf(item: WireSearchItem, place: Pick<PushPlace, 'downloaderId' | 'savePath'>): PushWhyBody {
  const savePath = place.savePath.trim()
  return {
    site: item.site,
    torrent_id: item.torrent_id,
    title: cut(item.title, pushTitleCharactersMax),
    subtitle: item.subtitle && cut(item.subtitle, pushTitleCharactersMax),
    info_hash: infoHash.test(item.info_hash ?? '') ? item.info_hash : undefined,
    size: toldFigure(item, 'size'),
    seeders: toldFigure(item, 'seeders'),
    leechers: toldFigure(item, 'leechers'),
    uploaded_at: item.uploaded_at,
    category: item.category && cut(item.category, pushCategoryCharactersMax),
    tags: item.tags?.slice(0, ruleWordsMax).map((tag) => cut(tag, pushCategoryCharactersMax)),
    discount: item.discount,
    discount_end_at: item.discount_end_at,
    has_hr: item.has_hr,
    downloader_id: place.downloaderId,
    save_path: savePath === '' ? undefined : savePath,
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
  item: Pick<WireSearchItem, 'site' | 'torrent_id' | 'title'>,
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
