import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { fillGaps, hasGaps, type TitlePage, type TitleQuery } from '../../core/title.ts'
import { mediaTypes } from '../../core/vocabulary.ts'
import { exploreSeconds, keptTitlePagesMax, searchTitlesSeconds } from '../../limits.ts'
import { KeptAnswers } from './kept-answers.ts'
import { fetchTitles, keptKey, languagesFor, type MetadataAccess } from './metadata-provider.ts'
import { OnceForAll } from './once-for-all.ts'
import type { PacedProvider } from './paced-provider.ts'

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

/** Pages of titles: kept for hours, asked for at a pace of our own, and once for all who want the same. */
export class TitleLists {
  readonly #provider: PacedProvider
  readonly #kept: KeptAnswers
  readonly #asked = new OnceForAll<Result<TitlePage, ServiceFault>>()

  constructor(sql: SqlStorage, provider: PacedProvider) {
    this.#provider = provider
    this.#kept = new KeptAnswers(sql, 'titles', { secondsMax: searchTitlesSeconds, rowsMax: keptTitlePagesMax })
  }

  async read(access: MetadataAccess, wish: TitleQuery): Promise<Result<TitlePage, ServiceFault>> {
    const { mediaType, list, words, page } = wish
    const key = keptKey(access, [mediaType, list, words.toLowerCase(), page])
    const secondsMax = list === 'search' ? searchTitlesSeconds : exploreSeconds
    const row = this.#kept.readYoung(key, this.#provider.nowUnix(), secondsMax)
    if (row !== undefined) return succeed(kept.parse(JSON.parse(row.facts)))
    return this.#asked.ask(key, () => this.#fetch(access, wish, key))
  }

  async #fetch(access: MetadataAccess, wish: TitleQuery, key: string): Promise<Result<TitlePage, ServiceFault>> {
    const endMs = this.#provider.endMs()
    const ask = (language: string) =>
      this.#provider.ask(access, endMs, (runtime, limitMs) => fetchTitles(runtime, access, wish, language, limitMs))
    const languages = languagesFor[access.language]
    const first = await ask(languages.first)
    if (!first.ok) return first
    const second = hasGaps(first.value) ? await ask(languages.second) : undefined
    const page = fillGaps(first.value, second?.ok === true ? second.value : undefined)
    // What lacks its second language is shown, and asked for again the next time.
    if (second === undefined || second.ok) this.#kept.keep(key, this.#provider.nowUnix(), JSON.stringify(page))
    return succeed(page)
  }
}
