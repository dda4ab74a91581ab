import type { Clock } from '#shared/kernel/clock.ts'
import { listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { Canceller } from '../core/cancellation.ts'
import { buildCatalogue, type Catalogue, type CatalogueRules } from '../core/catalogue.ts'
import type { Failure } from '../core/failure.ts'
import { redactedCause } from '../core/redaction.ts'
import { cataloguePageSize, cataloguePagesMax, startUpCallTimeoutMs } from '../limits.ts'
import type { Log, ModelDirectory, Random, Timers } from '../ports.ts'
import type { ProviderClient } from './provider-client.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

export interface ModelDirectoryParts {
  readonly provider: Pick<ProviderClient, 'listFoundationModels' | 'listInferenceProfiles'>
  readonly rules: CatalogueRules
  /** 0: only read at start. */
  readonly refreshMs: number
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
  readonly keepAlive: KeepAlive
}

/** How soon a first reading that failed is tried again. */
const retryAfterFailureMs = 30_000

/** Holds the catalogue in memory. A refresh that fails leaves the old one in place. */
export function modelDirectory(parts: ModelDirectoryParts): ModelDirectory {
  let kept: Catalogue | undefined
  let dueMs = 0
  const reading = new SharedReading(() => readOnce(parts), parts.keepAlive, parts.clock, startUpCallTimeoutMs)

  const refresh = async (): Promise<Catalogue> => {
    const read = await reading.start()
    const nowMs = parts.clock.nowMs()
    if (read !== undefined) {
      kept = read
      dueMs = parts.refreshMs === 0 ? Number.POSITIVE_INFINITY : nowMs + parts.refreshMs
    } else {
      dueMs = nowMs + retryAfterFailureMs
      // Nothing to lose: what is served meanwhile is the default model, and the provider judges every id itself.
      kept ??= buildCatalogue([], [], parts.rules)
    }
    return kept
  }

  return {
    current() {
      if (kept === undefined) return refresh()
      if (parts.clock.nowMs() >= dueMs) void refresh()
      return kept
    },
  }
}

function unread({ message, cause }: Failure): Parameters<Log>[0] {
  return { level: 'warn', event: 'catalogue-unread', message, cause: redactedCause(cause) }
}

async function readOnce(parts: ModelDirectoryParts): Promise<Catalogue | undefined> {
  const controller = new Canceller()
  const stop = parts.timers.every(startUpCallTimeoutMs, () => controller.abort(new Error('no answer in time')))
  const context = { requestId: `catalogue-${parts.random.hex(4)}`, signal: controller.signal }
  try {
    const models = await parts.provider.listFoundationModels(context)
    if (!models.ok) {
      parts.log(unread(models.failure))
      return undefined
    }
    const profiles: unknown[] = []
    for (const type of ['SYSTEM_DEFINED', 'APPLICATION']) {
      let nextToken: string | undefined
      for (let page = 0; page < cataloguePagesMax; page += 1) {
        const query = {
          maxResults: String(cataloguePageSize),
          ...(nextToken === undefined ? {} : { nextToken }),
          type,
        }
        const answer = await parts.provider.listInferenceProfiles(query, context)
        if (!answer.ok) {
          parts.log(unread(answer.failure))
          return undefined
        }
        profiles.push(...listOf(recordOf(answer.value)?.['inferenceProfileSummaries']))
        nextToken = textOf(recordOf(answer.value)?.['nextToken'])
        if (nextToken === undefined) break
      }
    }
    const catalogue = buildCatalogue(listOf(recordOf(models.value)?.['modelSummaries']), profiles, parts.rules)
    parts.log({ level: 'info', event: 'catalogue-read', models: catalogue.entries.length })
    return catalogue
  } finally {
    stop()
  }
}
