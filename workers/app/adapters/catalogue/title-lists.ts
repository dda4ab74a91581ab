import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { fillGaps, hasGaps, type TitlePage, type TitleWish } from '../../core/title.ts'
import { mediaTypes } from '../../core/vocabulary.ts'
import {
  exploreSeconds,
  keptTitlePagesMax,
  metadataMs,
  metadataPauseMs,
  metadataWaitingMax,
  searchTitlesSeconds,
} from '../../limits.ts'
import type { ServiceRuntime } from './call-service.ts'
import { KeptAnswers } from './kept-answers.ts'
import { fetchTitles, type MetadataAccess } from './metadata-provider.ts'
import { Pace } from './pace.ts'

const kept = z.object({
  titles: z.array(
    z.object({
      id: z.number(),
      mediaType: z.enum(mediaTypes),
      title: z.string(),
      originalTitle: z.string(),
      overview: z.string(),
      year: z.number().exactOptional(),
      posterPath: z.string().exactOptional(),
      voteAverage: z.number().exactOptional(),
    }),
  ),
  totalPages: z.number(),
})

const languages = { first: 'zh-CN', second: 'en-US' } as const

/** Pages of titles: kept for hours, asked for at a pace of our own, and once for all who want the same. */
export class TitleLists {
  readonly #runtime: ServiceRuntime
  readonly #kept: KeptAnswers
  /** Of one place and one key: another one begins afresh. */
  #pace: { readonly of: string; readonly pace: Pace } | undefined
  readonly #underWay = new Map<string, Promise<Result<TitlePage, ServiceFault>>>()

  constructor(sql: SqlStorage, runtime: ServiceRuntime) {
    this.#runtime = runtime
    this.#kept = new KeptAnswers(sql, 'titles', { secondsMax: searchTitlesSeconds, rowsMax: keptTitlePagesMax })
  }

  async read(access: MetadataAccess, wish: TitleWish): Promise<Result<TitlePage, ServiceFault>> {
    const { mediaType, list, words, page } = wish
    const key = JSON.stringify([access.apiUrl, mediaType, list, words.toLowerCase(), page])
    const row = this.#kept.read(key)
    const ageSeconds = row === undefined ? -1 : this.#nowUnix() - row.atUnix
    if (row !== undefined && ageSeconds >= 0 && ageSeconds < (list === 'search' ? searchTitlesSeconds : exploreSeconds))
      return succeed(kept.parse(JSON.parse(row.facts)))
    let answer = this.#underWay.get(key)
    if (answer === undefined) {
      answer = this.#fetch(access, wish, key).finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, answer)
    }
    return answer
  }

  async #fetch(access: MetadataAccess, wish: TitleWish, key: string): Promise<Result<TitlePage, ServiceFault>> {
    const endMs = this.#runtime.nowMs() + metadataMs
    const first = await this.#ask(access, wish, languages.first, endMs)
    if (!first.ok) return first
    const second = hasGaps(first.value) ? await this.#ask(access, wish, languages.second, endMs) : undefined
    const page = fillGaps(first.value, second?.ok === true ? second.value : undefined)
    // What lacks its second language is shown, and asked for again the next time.
    if (second === undefined || second.ok) this.#kept.keep(key, this.#nowUnix(), JSON.stringify(page))
    return succeed(page)
  }

  async #ask(
    access: MetadataAccess,
    wish: TitleWish,
    language: string,
    endMs: number,
  ): Promise<Result<TitlePage, ServiceFault>> {
    const pace = this.#paceFor(access)
    const turn = await pace.turn()
    if (!turn.ok) return turn
    const limitMs = Math.max(1, endMs - this.#runtime.nowMs())
    const answer = await fetchTitles(this.#runtime, access, wish, language, limitMs)
    if (!answer.ok && answer.failure.kind === 'rate_limited') pace.beQuiet(answer.failure.retryAfterSeconds)
    return answer
  }

  #paceFor({ apiUrl, key }: MetadataAccess): Pace {
    const of = `${apiUrl} ${key}`
    if (this.#pace?.of !== of) {
      const pace = new Pace(this.#runtime, { pauseMs: metadataPauseMs, waitingMax: metadataWaitingMax })
      this.#pace = { of, pace }
    }
    return this.#pace.pace
  }

  #nowUnix(): number {
    return Math.floor(this.#runtime.nowMs() / 1000)
  }
}
