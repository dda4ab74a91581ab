import type { Clock } from '#shared/kernel/clock.ts'
import { parseJson } from '#shared/kernel/json-record.ts'
import type { ListedModel } from '#shared/models/listed-model.ts'
import { Canceller } from '../core/cancellation.ts'
import { collectText } from '../core/collect-text.ts'
import { dialects } from '../core/providers/dialects.ts'
import type { ExternalProvider } from '../core/providers/provider-list.ts'
import { redactedCause } from '../core/redaction.ts'
import { externalListBytesMax, externalListMs, externalModelsMax, externalPagesMax } from '../limits.ts'
import type { ExternalModels, Log, Outgoing, Random, Timers } from '../ports.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

interface ExternalModelsParts {
  readonly outgoing: Outgoing
  /** 0: only read once. */
  readonly refreshMs: number
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
  readonly keepAlive: KeepAlive
}

/** How soon a reading that failed is tried again. */
const retryAfterFailureMs = 30_000

/** What the providers beside the account's list. One that cannot be read keeps its old list, and the others go on. */
export function externalModels(providers: readonly ExternalProvider[], parts: ExternalModelsParts): ExternalModels {
  const lists = providers.map((provider) => ({ provider: provider.name, current: keptListing(provider, parts) }))
  return {
    current: () => Promise.all(lists.map(async ({ provider, current }) => ({ provider, models: await current() }))),
  }
}

/** Waits for the very first reading only. */
function keptListing(provider: ExternalProvider, parts: ExternalModelsParts): () => Promise<readonly ListedModel[]> {
  let kept: readonly ListedModel[] | undefined
  let dueMs = 0
  const reading = new SharedReading(() => readListing(provider, parts), parts.keepAlive, parts.clock, externalListMs)
  const refresh = async (): Promise<readonly ListedModel[]> => {
    const read = await reading.start()
    const again = parts.refreshMs === 0 ? Number.POSITIVE_INFINITY : parts.refreshMs
    dueMs = parts.clock.nowMs() + (read === undefined ? retryAfterFailureMs : again)
    kept = read ?? kept ?? []
    return kept
  }
  return async () => {
    if (kept === undefined) return refresh()
    if (parts.clock.nowMs() >= dueMs) void refresh()
    return kept
  }
}

async function readListing(
  provider: ExternalProvider,
  parts: ExternalModelsParts,
): Promise<readonly ListedModel[] | undefined> {
  const dialect = dialects[provider.dialect]
  const controller = new Canceller()
  const stop = parts.timers.every(externalListMs, () => controller.abort(new Error('no answer in time')))
  const requestId = `models-${parts.random.hex(4)}`
  const found = new Map<string, ListedModel>()
  const unread = (more: object) => {
    parts.log({ level: 'warn', event: 'models-unread', provider: provider.name, ...more })
    return undefined
  }
  try {
    let cursor: string | undefined
    for (let page = 0; page < externalPagesMax && found.size < externalModelsMax; page += 1) {
      const answer = await parts.outgoing({
        method: 'GET',
        url: `${provider.address}${dialect.listing.path(cursor)}`,
        headers: { accept: 'application/json', 'x-request-id': requestId, ...dialect.headers(provider.key) },
        signal: controller.signal,
      })
      const text = await collectText(answer.body, externalListBytesMax)
      if (answer.status < 200 || answer.status >= 300) return unread({ status: answer.status })
      const read = text === undefined ? undefined : dialect.listing.read(parseJson(text))
      if (read === undefined) return unread({ message: 'a list that cannot be read' })
      for (const model of read.models.slice(0, externalModelsMax - found.size)) found.set(model.id, model)
      cursor = read.next
      if (cursor === undefined) break
    }
    return [...found.values()]
  } catch (cause) {
    return unread({ cause: redactedCause(cause) })
  } finally {
    stop()
  }
}
