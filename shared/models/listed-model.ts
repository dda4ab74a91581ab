import { type JsonRecord, listOf, numberOf, recordOf, textOf } from '../kernel/json-record.ts'

/** US dollars for a million tokens. */
export interface ListedPrices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
}

/** A model as its provider lists it; what the provider does not tell is undefined. */
export interface ListedModel {
  readonly id: string
  readonly createdUnix: number | undefined
  readonly contextTokens: number | undefined
  readonly outputTokensMax: number | undefined
  /** `text`, `image`, `audio`, `video`, `pdf`. */
  readonly takes: readonly string[]
  /** As people call it. */
  readonly name?: string | undefined
  readonly prices?: ListedPrices | undefined
}

/** One page of a list; undefined: it has not the shape of one. */
export interface ListedPage {
  readonly models: readonly ListedModel[]
  /** Where the next page is; undefined: this is the last. */
  readonly next: string | undefined
}

/** Undefined for an entry that is no model, or has a name that no request could hold. */
type ReadModel = (entry: JsonRecord) => ListedModel | undefined

const idPattern = /^[\w.:/@+-]{1,200}$/

export function readListedPage(
  body: unknown,
  member: string,
  read: ReadModel,
  next: (page: JsonRecord) => string | undefined,
): ListedPage | undefined {
  const page = recordOf(body)
  const entries = page?.[member]
  if (page === undefined || !Array.isArray(entries)) return undefined
  const models = listOf(entries).flatMap((entry) => read(recordOf(entry) ?? {}) ?? [])
  return { models: models.filter(({ id }) => idPattern.test(id)), next: next(page) }
}

/** A number that can be a limit. */
export function limitOf(value: unknown): number | undefined {
  const limit = numberOf(value)
  return limit !== undefined && Number.isInteger(limit) && limit > 0 ? limit : undefined
}

const modalities: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'pdf',
  pdf: 'pdf',
}

/** As routers of other providers' models tell them. */
export function modalitiesOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((one) => modalities[textOf(one) ?? ''] ?? [])
}
