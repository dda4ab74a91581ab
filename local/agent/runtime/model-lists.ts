/** What providers say they have. A list is read when somebody wants it, kept a while, and read anew beside the work. */
import type { Clock } from '#shared/kernel/clock.ts'
import type { ListedModel } from '#shared/models/listed-model.ts'
import { interfaceOf } from '../core/known-providers.ts'
import type { ProviderPackage } from '../core/provider-catalogue.ts'
import {
  modelListBytesMax,
  modelListFreshMs,
  modelListMs,
  modelListPagesMax,
  modelListRetryMs,
  modelListsMax,
} from '../limits.ts'

/** A provider as it is asked for its list. */
export interface ListingProvider {
  readonly id: string
  readonly package: ProviderPackage
  readonly url: string
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

interface Kept {
  models: readonly ListedModel[] | undefined
  dueMs: number
  reading: Promise<void> | undefined
}

export class ModelLists {
  readonly #fetch: typeof fetch
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(fetchList: typeof fetch, clock: Clock) {
    this.#fetch = fetchList
    this.#clock = clock
  }

  /** Undefined: it was never read. */
  known(provider: ListingProvider): readonly ListedModel[] | undefined {
    return this.#kept.get(nameOf(provider))?.models
  }

  /**
   * Reads what is due; waits only for a list that was never asked for, and no longer than `waitMs`. Answers whether
   * one came.
   */
  async refresh(providers: readonly ListingProvider[], waitMs: number): Promise<boolean> {
    const first = providers.flatMap((provider) => {
      const kept = this.#keptOf(provider)
      const isFirst = kept.dueMs === 0
      if (kept.reading === undefined && this.#clock.nowMs() >= kept.dueMs) kept.reading = this.#read(provider, kept)
      return isFirst && kept.reading !== undefined ? [kept.reading] : []
    })
    if (first.length === 0) return false
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs)
    })
    await Promise.race([Promise.all(first), waited])
    clearTimeout(timer)
    return true
  }

  #keptOf(provider: ListingProvider): Kept {
    const name = nameOf(provider)
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    if (this.#kept.size >= modelListsMax) this.#kept.clear()
    const fresh: Kept = { models: undefined, dueMs: 0, reading: undefined }
    this.#kept.set(name, fresh)
    return fresh
  }

  async #read(provider: ListingProvider, kept: Kept): Promise<void> {
    const models = await this.#pages(provider).catch(() => undefined)
    kept.models = models ?? kept.models
    kept.dueMs = this.#clock.nowMs() + (models === undefined ? modelListRetryMs : modelListFreshMs)
    kept.reading = undefined
  }

  /** Undefined: what answers there gives no list. */
  async #pages(provider: ListingProvider): Promise<readonly ListedModel[] | undefined> {
    const { listing, headers: keyHeaders } = interfaceOf(provider.package)
    const signal = AbortSignal.timeout(modelListMs)
    const headers = { accept: 'application/json', ...keyHeaders(provider.apiKey), ...provider.headers }
    const found = new Map<string, ListedModel>()
    let cursor: string | undefined
    for (let page = 0; page < modelListPagesMax; page += 1) {
      // A key goes where it was configured to go, and nowhere from there.
      const answer = await this.#fetch(provider.url + listing.path(cursor), { headers, signal, redirect: 'error' })
      const text = await textOf(answer, modelListBytesMax)
      const read = answer.ok && text !== undefined ? listing.read(JSON.parse(text)) : undefined
      if (read === undefined) return undefined
      for (const model of read.models) found.set(model.id, model)
      cursor = read.next
      if (cursor === undefined) break
    }
    return [...found.values()]
  }
}

/** Another key may see other models. */
function nameOf({ id, url, apiKey = '' }: ListingProvider): string {
  return `${id}\n${url}\n${apiKey}`
}

async function textOf(answer: Response, bytesMax: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength
    if (bytes > bytesMax) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
