/** What the metadata provider says of one title, in one language: read tolerantly, and kept within bounds. */
import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { AnnouncedSeason, KnownEpisode, NamedSeries, NamedTitle } from '../../core/media/title-details.ts'
import { cutTo } from '../../core/redact.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { episodeNameCharactersMax, episodesMax, seasonMax, titleCharactersMax } from '../../limits.ts'
import { callProvider, type MetadataAccess, posterIn } from './metadata-provider.ts'

type ProviderRuntime = Parameters<typeof callProvider>[0]

export interface DetailCall {
  readonly access: MetadataAccess
  readonly language: string
  readonly limitMs: number
}

/** `YYYY-MM-DD`; what is none is as good as no date. */
const day = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/)
  .optional()
  .catch(undefined)
const count = z.number().int().min(0).max(episodesMax).catch(0)
const text = z.string().nullish()

const film = z.object({ title: text, original_title: text, release_date: day, poster_path: text })
const series = z.object({
  name: text,
  original_name: text,
  first_air_date: day,
  poster_path: text,
  seasons: z.array(z.unknown()).catch([]),
})
const announced = z.object({
  season_number: z.number().int().min(1).max(seasonMax),
  air_date: day,
  episode_count: count,
  poster_path: text,
})
const season = z.object({ episodes: z.array(z.unknown()) })
const listed = z.object({ episode_number: z.number().int().min(0).max(1_000_000), name: text, air_date: day })

export async function fetchFilm(
  runtime: ProviderRuntime,
  tmdbId: number,
  call: DetailCall,
): Promise<Result<NamedTitle, ServiceFault>> {
  const answer = await callFor(runtime, `/movie/${tmdbId}`, call)
  if (!answer.ok) return answer
  const { data } = film.safeParse(answer.value)
  return named(data?.title, data?.original_title, {
    ...(data?.release_date === undefined ? {} : { date: data.release_date }),
    ...posterIn(data ?? {}),
  })
}

export async function fetchSeries(
  runtime: ProviderRuntime,
  tmdbId: number,
  call: DetailCall,
): Promise<Result<NamedSeries, ServiceFault>> {
  const answer = await callFor(runtime, `/tv/${tmdbId}`, call)
  if (!answer.ok) return answer
  const { data } = series.safeParse(answer.value)
  return named(data?.name, data?.original_name, {
    ...(data?.first_air_date === undefined ? {} : { date: data.first_air_date }),
    ...posterIn(data ?? {}),
    seasons: (data?.seasons ?? []).flatMap(toSeason),
  })
}

export async function fetchEpisodes(
  runtime: ProviderRuntime,
  tmdbId: number,
  number: number,
  call: DetailCall,
): Promise<Result<readonly KnownEpisode[], ServiceFault>> {
  const answer = await callFor(runtime, `/tv/${tmdbId}/season/${number}`, call)
  if (!answer.ok) return answer
  const { data } = season.safeParse(answer.value)
  return data === undefined
    ? failWith({ kind: 'broken' })
    : succeed(data.episodes.slice(0, episodesMax).flatMap(toEpisode))
}

function callFor(runtime: ProviderRuntime, path: string, { access, language, limitMs }: DetailCall) {
  return callProvider(runtime, access, `${path}?language=${language}`, limitMs)
}

/** What has no name at all is nothing that could be subscribed to. */
function named<T extends object>(
  title: string | null | undefined,
  original: string | null | undefined,
  facts: T,
): Result<T & { readonly title: string; readonly originalTitle: string }, ServiceFault> {
  const names = { title: nameIn(title), originalTitle: nameIn(original) }
  return names.title === '' && names.originalTitle === ''
    ? failWith({ kind: 'broken' })
    : succeed({ ...facts, ...names })
}

function nameIn(name: string | null | undefined): string {
  return cutTo((name ?? '').trim(), titleCharactersMax)
}

function toSeason(item: unknown): AnnouncedSeason[] {
  const { data } = announced.safeParse(item)
  if (data === undefined) return []
  const { season_number: number, air_date: airDate, episode_count: episodeCount } = data
  return [{ number, episodeCount, ...(airDate === undefined ? {} : { airDate }), ...posterIn(data) }]
}

function toEpisode(item: unknown): KnownEpisode[] {
  const { data } = listed.safeParse(item)
  if (data === undefined) return []
  const { episode_number: number, name, air_date: airDate } = data
  return [
    {
      number,
      name: cutTo((name ?? '').trim(), episodeNameCharactersMax),
      ...(airDate === undefined ? {} : { airDate }),
    },
  ]
}
