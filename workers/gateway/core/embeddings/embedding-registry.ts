import { isRecord, listOf, numberOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { EmbeddingRegistryFault } from '../start-fault.ts'

const embeddingFamilies = ['A', 'B', 'C'] as const
/** Those of the account's provider, and of the providers beside it. */
type EmbeddingFamily = (typeof embeddingFamilies)[number] | 'chat' | 'gemini'

export interface EmbeddingModel {
  readonly modelId: string
  readonly family: EmbeddingFamily
  /** Empty: the model has one size and none is sent. */
  readonly dimensions: readonly number[]
  readonly defaultDimensions: number | undefined
}

export interface EmbeddingRegistry {
  readonly byName: ReadonlyMap<string, EmbeddingModel>
  /** Short names to the ids they stand for. */
  readonly aliases: ReadonlyMap<string, string>
}

export function readEmbeddingRegistry(file: unknown): Result<EmbeddingRegistry, EmbeddingRegistryFault> {
  if (!isRecord(file)) return failWith({ kind: 'no_table' })
  const byName = new Map<string, EmbeddingModel>()
  const aliases = new Map<string, string>()
  for (const item of listOf(file['model'])) {
    const entry = recordOf(item)
    const modelId = textOf(entry?.['model_id'])
    const family = embeddingFamilies.find((known) => known === entry?.['family'])
    if (entry === undefined || modelId === undefined || family === undefined) {
      return failWith({ kind: 'embedding' })
    }
    const dimensions = listOf(entry['dimensions']).filter((size) => typeof size === 'number')
    const model = { modelId, family, dimensions, defaultDimensions: numberOf(entry['default_dimensions']) }
    byName.set(modelId, model)
    for (const name of listOf(entry['short_names'])) {
      if (typeof name !== 'string') return failWith({ kind: 'short_names', entry: modelId })
      byName.set(name, model)
      aliases.set(name, modelId)
    }
  }
  return succeed({ byName, aliases })
}
