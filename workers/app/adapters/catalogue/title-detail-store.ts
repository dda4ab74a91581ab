import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  chooseSeason,
  filmDetails,
  hasNamelessEpisodes,
  seasonDetails,
  type TitleDetailQuery,
  type TitleDetails,
} from '../../core/media/title-details.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { mediaTypes, type OwnerLanguage } from '../../core/vocabulary.ts'
import { exploreSeconds, keptDetailsMax } from '../../limits.ts'
import { KeptAnswers } from './kept-answers.ts'
import { type DetailCall, fetchEpisodes, fetchFilm, fetchSeries } from './metadata-details.ts'
import { keptKey, languagesFor, type MetadataAccess } from './metadata-provider.ts'
import { OnceForAll } from './once-for-all.ts'
import type { PacedProvider } from './paced-provider.ts'

const kept = z.object({
  mediaType: z.enum(mediaTypes),
  tmdbId: z.number(),
  season: z.number(),
  title: z.string(),
  originalTitle: z.string(),
  searchTitle: z.string(),
  year: z.number().exactOptional(),
  posterPath: z.string().exactOptional(),
  releasedOn: z.string().exactOptional(),
  totalEpisodes: z.number(),
  episodes: z.array(z.object({ number: z.number(), name: z.string(), airDate: z.string().exactOptional() })),
})

/** Details, and whether they are all there: what a language failed to add is asked for again. */
interface Found {
  readonly details: TitleDetails
  readonly isWhole: boolean
}

type Runtime = Parameters<typeof fetchFilm>[0]

/** Films and seasons one by one: kept for hours, asked for at the pace of the lists, and once for all who want the same. */
export class TitleDetailStore {
  readonly #provider: PacedProvider
  readonly #kept: KeptAnswers
  readonly #asked = new OnceForAll<Result<TitleDetails, ServiceFault>>()

  constructor(sql: SqlStorage, provider: PacedProvider) {
    this.#provider = provider
    this.#kept = new KeptAnswers(sql, 'details', { secondsMax: exploreSeconds, rowsMax: keptDetailsMax })
  }

  async read(access: MetadataAccess, wish: TitleDetailQuery): Promise<Result<TitleDetails, ServiceFault>> {
    const { mediaType, tmdbId, season, today } = wish
    // Which season is the latest depends on the day.
    const key = keptKey(access, [mediaType, tmdbId, season, season === 0 ? today : ''])
    const row = this.#kept.readYoung(key, this.#provider.nowUnix(), exploreSeconds)
    if (row !== undefined) return succeed(kept.parse(JSON.parse(row.facts)))
    return this.#asked.ask(key, () => this.#fetch(access, wish, key))
  }

  async #fetch(
    access: MetadataAccess,
    wish: TitleDetailQuery,
    key: string,
  ): Promise<Result<TitleDetails, ServiceFault>> {
    const endMs = this.#provider.endMs()
    const ask = <T>(
      language: string,
      fetchOne: (runtime: Runtime, call: DetailCall) => Promise<Result<T, ServiceFault>>,
    ) => this.#provider.ask(access, endMs, (runtime, limitMs) => fetchOne(runtime, { access, language, limitMs }))
    const found = await (wish.mediaType === 'movie'
      ? findFilm(wish, access.language, ask)
      : findSeason(wish, access.language, ask))
    if (!found.ok) return found
    const { details, isWhole } = found.value
    if (isWhole) this.#kept.keep(key, this.#provider.nowUnix(), JSON.stringify(details))
    return succeed(details)
  }
}

type Ask = <T>(
  language: string,
  fetchOne: (runtime: Runtime, call: DetailCall) => Promise<Result<T, ServiceFault>>,
) => Promise<Result<T, ServiceFault>>

async function findFilm(
  { tmdbId }: TitleDetailQuery,
  owners: OwnerLanguage,
  ask: Ask,
): Promise<Result<Found, ServiceFault>> {
  const askIn = (language: string) => ask(language, (runtime, call) => fetchFilm(runtime, tmdbId, call))
  const languages = languagesFor[owners]
  const first = await askIn(languages.first)
  if (!first.ok) return first
  const second = await askIn(languages.second)
  return succeed({ details: filmDetails(tmdbId, owners, first.value, foundIn(second)), isWhole: second.ok })
}

async function findSeason(
  { tmdbId, season: wanted, today }: TitleDetailQuery,
  owners: OwnerLanguage,
  ask: Ask,
): Promise<Result<Found, ServiceFault>> {
  const seriesIn = (language: string) => ask(language, (runtime, call) => fetchSeries(runtime, tmdbId, call))
  const languages = languagesFor[owners]
  const series = await seriesIn(languages.first)
  if (!series.ok) return series
  const season = chooseSeason(series.value.seasons, wanted, today)
  if (season === undefined) return failWith({ kind: 'not_found' })
  const episodesIn = (language: string) =>
    ask(language, (runtime, call) => fetchEpisodes(runtime, tmdbId, season.number, call))
  const first = await episodesIn(languages.first)
  if (!first.ok) return first
  const otherSeries = await seriesIn(languages.second)
  const second = hasNamelessEpisodes(first.value) ? await episodesIn(languages.second) : succeed([])
  return succeed({
    details: seasonDetails(
      tmdbId,
      owners,
      season,
      [series.value, foundIn(otherSeries)],
      [first.value, foundIn(second) ?? []],
    ),
    isWhole: otherSeries.ok && second.ok,
  })
}

function foundIn<T>(result: Result<T, ServiceFault>): T | undefined {
  return result.ok ? result.value : undefined
}
