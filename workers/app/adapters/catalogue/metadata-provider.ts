import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { cutTo } from '../../core/redact.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { imageFilePattern, type Title, type TitlePage, type TitleQuery, titleListPath } from '../../core/title.ts'
import type { MediaType, OwnerLanguage } from '../../core/vocabulary.ts'
import { metadataAnswerBytesMax, overviewCharactersMax, titleCharactersMax, titlesOfPageMax } from '../../limits.ts'
import { callService, jsonIn, type ServiceRuntime } from './call-service.ts'

/** Where the provider is asked, and with what. */
export interface MetadataAccess {
  readonly apiUrl: string
  readonly key: string
  readonly proxy: string | undefined
  /** In which titles are wanted first. */
  readonly language: OwnerLanguage
}

/** What the first leaves empty is asked for in the second. */
export const languagesFor = {
  zh: { first: 'zh-CN', second: 'en-US' },
  en: { first: 'en-US', second: 'zh-CN' },
} as const satisfies Record<OwnerLanguage, object>

/** Of what is kept; answers from before there was a choice are Chinese ones. */
export function keptKey({ apiUrl, language }: MetadataAccess, facts: readonly unknown[]): string {
  return JSON.stringify(language === 'zh' ? [apiUrl, ...facts] : [apiUrl, ...facts, language])
}

const listed = z.object({ results: z.array(z.unknown()), total_pages: z.number().int().min(0).catch(1) })

const listedTitle = z.object({
  id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  title: z.string().nullish(),
  name: z.string().nullish(),
  original_title: z.string().nullish(),
  original_name: z.string().nullish(),
  release_date: z.string().nullish(),
  first_air_date: z.string().nullish(),
  overview: z.string().nullish(),
  poster_path: z.string().nullish(),
  vote_average: z.number().min(0).max(10).nullish(),
})

/** One page in one language. */
export async function fetchTitles(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  access: MetadataAccess,
  wish: TitleQuery,
  language: string,
  limitMs: number,
): Promise<Result<TitlePage, ServiceFault>> {
  const answer = await callProvider(runtime, access, `${titleListPath(wish)}&language=${language}`, limitMs)
  if (!answer.ok) return answer
  const { data } = listed.safeParse(answer.value)
  if (data === undefined) return failWith({ kind: 'broken' })
  const titles = data.results.slice(0, titlesOfPageMax).flatMap((item) => toTitle(item, wish.mediaType))
  return succeed({ titles, totalPages: data.total_pages })
}

const foundByImdb = z.object({ movie_results: z.array(z.unknown()), tv_results: z.array(z.unknown()) })

export async function fetchByImdb(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  access: MetadataAccess,
  imdbId: string,
  limitMs: number,
): Promise<Result<Title[], ServiceFault>> {
  const language = languagesFor[access.language].first
  const path = `/find/${encodeURIComponent(imdbId)}?external_source=imdb_id&language=${language}`
  const answer = await callProvider(runtime, access, path, limitMs)
  if (!answer.ok) return answer
  const { data } = foundByImdb.safeParse(answer.value)
  if (data === undefined) return failWith({ kind: 'broken' })
  return succeed([
    ...data.movie_results.flatMap((item) => toTitle(item, 'movie')),
    ...data.tv_results.flatMap((item) => toTitle(item, 'tv')),
  ])
}

/** The cheapest call that only works with a good key. */
export async function tryKey(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  access: Omit<MetadataAccess, 'language'>,
  limitMs: number,
): Promise<Result<void, ServiceFault>> {
  const answer = await callProvider(runtime, access, '/configuration?', limitMs)
  if (!answer.ok) return answer
  return z.object({ images: z.unknown() }).safeParse(answer.value).success
    ? succeed(undefined)
    : failWith({ kind: 'broken' })
}

/** The provider has two kinds of keys: the newer ones are tokens, and stand in no address. */
export async function callProvider(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  { apiUrl, key, proxy }: Omit<MetadataAccess, 'language'>,
  path: string,
  limitMs: number,
): Promise<Result<unknown, ServiceFault>> {
  const isToken = key.startsWith('eyJ')
  const answer = await callService(runtime, {
    address: `${apiUrl}${path}${isToken ? '' : `&api_key=${encodeURIComponent(key)}`}`,
    headers: { accept: 'application/json', ...(isToken ? { authorization: `Bearer ${key}` } : {}) },
    proxy,
    bytesMax: metadataAnswerBytesMax,
    limitMs,
  })
  if (!answer.ok) return answer
  const json = jsonIn(answer.value)
  return json === undefined ? failWith({ kind: 'broken' }) : succeed(json)
}

/** Only what we would fetch. */
export function posterIn({ poster_path: path }: { readonly poster_path?: string | null | undefined }): {
  readonly posterPath?: string
} {
  return path?.startsWith('/') && imageFilePattern.test(path.slice(1)) ? { posterPath: path } : {}
}

/** None for what has no id. */
function toTitle(item: unknown, mediaType: MediaType): Title[] {
  const { data } = listedTitle.safeParse(item)
  if (data === undefined) return []
  const [year] = /^\d{4}(?=-|$)/.exec(data.release_date ?? data.first_air_date ?? '') ?? []
  return [
    {
      id: data.id,
      mediaType,
      title: cutTo((data.title ?? data.name ?? '').trim(), titleCharactersMax),
      originalTitle: cutTo((data.original_title ?? data.original_name ?? '').trim(), titleCharactersMax),
      overview: cutTo((data.overview ?? '').trim(), overviewCharactersMax),
      ...(year === undefined ? {} : { year: Number(year) }),
      ...posterIn(data),
      ...(data.vote_average ? { voteAverage: data.vote_average } : {}),
    },
  ]
}
