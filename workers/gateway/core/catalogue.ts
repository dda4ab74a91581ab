import { type JsonRecord, listOf, recordOf, textOf } from './json-record.ts'

interface CatalogueEntry {
  readonly id: string
  /** The foundation model behind a profile; the id itself for a foundation model. */
  readonly foundationId: string
  readonly hasImages: boolean
}

/** What the account can call, sorted by id. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[]
  readonly byId: ReadonlyMap<string, CatalogueEntry>
}

export interface CatalogueRules {
  readonly allowedModels: readonly string[]
  readonly hasCrossRegionProfiles: boolean
  readonly hasApplicationProfiles: boolean
  readonly defaultModel: string
  readonly entriesMax: number
  readonly isRegisteredEmbedding: (id: string) => boolean
  /** Short names to their targets; one is listed when its target is callable. */
  readonly aliases: ReadonlyMap<string, string>
  /** Ids served by the compatible endpoint in this region, short names included. */
  readonly compatibleIds: readonly string[]
}

/** Builds the list from the provider's two listings. */
export function buildCatalogue(
  models: readonly unknown[],
  profiles: readonly unknown[],
  rules: CatalogueRules,
): Catalogue {
  const found = new Map<string, CatalogueEntry>()
  const foundations = new Map<string, JsonRecord>()
  for (const model of models) {
    const summary = recordOf(model)
    const id = textOf(summary?.['modelId'])
    if (summary === undefined || id === undefined || !isUsable(summary, id, rules)) continue
    foundations.set(id, summary)
    if (listOf(summary['inferenceTypesSupported']).includes('ON_DEMAND')) {
      found.set(id, { id, foundationId: id, hasImages: takesImages(summary) })
    }
  }
  for (const profile of profiles) {
    const entry = profileEntry(recordOf(profile), foundations, rules)
    if (entry !== undefined) found.set(entry.id, entry)
  }
  if (found.size === 0) {
    found.set(rules.defaultModel, { id: rules.defaultModel, foundationId: rules.defaultModel, hasImages: true })
  }
  for (const [name, target] of rules.aliases) {
    const entry = found.get(target)
    if (entry !== undefined) found.set(name, { ...entry, id: name })
  }
  for (const id of rules.compatibleIds) found.set(id, { id, foundationId: id, hasImages: true })
  const entries = [...found.values()]
    .filter((entry) => isAllowed(entry.id, rules.allowedModels))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .slice(0, rules.entriesMax)
  return { entries, byId: new Map(entries.map((entry) => [entry.id, entry])) }
}

function isUsable(summary: JsonRecord, id: string, rules: CatalogueRules): boolean {
  const status = textOf(recordOf(summary['modelLifecycle'])?.['status']) ?? 'ACTIVE'
  if (status !== 'ACTIVE' && status !== 'LEGACY') return false
  const outputs = listOf(summary['outputModalities'])
  if (outputs.includes('TEXT')) return summary['responseStreamingSupported'] === true
  return outputs.includes('EMBEDDING') && rules.isRegisteredEmbedding(id)
}

function takesImages(summary: JsonRecord): boolean {
  return listOf(summary['inputModalities']).includes('IMAGE')
}

function profileEntry(
  profile: JsonRecord | undefined,
  foundations: ReadonlyMap<string, JsonRecord>,
  rules: CatalogueRules,
): CatalogueEntry | undefined {
  if (profile === undefined || (textOf(profile['status']) ?? 'ACTIVE') !== 'ACTIVE') return undefined
  const isApplication = profile['type'] === 'APPLICATION'
  if (isApplication ? !rules.hasApplicationProfiles : !rules.hasCrossRegionProfiles) return undefined
  const arn = textOf(recordOf(listOf(profile['models'])[0])?.['modelArn'])
  const foundationId = arn?.slice(arn.lastIndexOf('/') + 1)
  const summary = foundationId === undefined ? undefined : foundations.get(foundationId)
  // An application profile is called by its full name; its short id means nothing to the chat operation.
  const id = textOf(profile[isApplication ? 'inferenceProfileArn' : 'inferenceProfileId'])
  if (foundationId === undefined || summary === undefined || id === undefined) return undefined
  return { id, foundationId, hasImages: takesImages(summary) }
}

function isAllowed(id: string, allowed: readonly string[]): boolean {
  const lower = id.toLowerCase()
  return allowed.length === 0 || allowed.some((fragment) => lower.includes(fragment))
}
