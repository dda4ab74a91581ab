import { type JsonRecord, listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'

interface CatalogueEntry {
  readonly id: string
  /** The foundation model behind a profile; the id itself for a foundation model. */
  readonly foundationId: string
  readonly hasImages: boolean
  /** Its provider means to take it away. */
  readonly isLegacy?: true
}

/** What the account can call, sorted by id. */
export interface Catalogue {
  /** The list that clients see. */
  readonly entries: readonly CatalogueEntry[]
  readonly byId: ReadonlyMap<string, CatalogueEntry>
  /** Everything that can be called, whether it is listed or not. */
  readonly callable: ReadonlyMap<string, CatalogueEntry>
  /** Every foundation model of the region, with what it can be called by, the best way first; none: not at all. */
  readonly waysTo: ReadonlyMap<string, readonly string[]>
  /** Names without vendor and version, and also without their date, to the foundation model that is meant. */
  readonly shortNames: ReadonlyMap<string, string>
  /** What answers when a request names no model. Undefined: nothing can be called, or nothing is known yet. */
  readonly defaultModel: string | undefined
  readonly defaultEmbeddingModel: string | undefined
}

export interface CatalogueRules {
  readonly allowedModels: readonly string[]
  readonly hasCrossRegionProfiles: boolean
  readonly hasApplicationProfiles: boolean
  /** The owner's choices; undefined: what the account can call decides. */
  readonly defaultModel: string | undefined
  readonly defaultEmbeddingModel: string | undefined
  /** Fragments of ids: a default is taken from the first that matches something. */
  readonly preferredModels: readonly string[]
  /** Ids of embedding models, the preferred ones first. */
  readonly embeddingModels: readonly string[]
  readonly entriesMax: number
  readonly isRegisteredEmbedding: (id: string) => boolean
  /** Short names to their targets; one is listed when its target is callable. */
  readonly aliases: ReadonlyMap<string, string>
  /** Ids served by the compatible endpoint in this region, short names included. */
  readonly compatibleIds: readonly string[]
}

/** The name under which the default model can be asked for. */
export const defaultModelName = 'default'

/** Builds the list from the provider's two listings. */
export function buildCatalogue(
  models: readonly unknown[],
  profiles: readonly unknown[],
  rules: CatalogueRules,
): Catalogue {
  const callable = new Map<string, CatalogueEntry>()
  const foundations = new Map<string, JsonRecord>()
  const waysTo = new Map<string, string[]>()
  for (const model of models) {
    const summary = recordOf(model)
    const id = textOf(summary?.['modelId'])
    if (summary === undefined || id === undefined || !isUsable(summary, id, rules)) continue
    foundations.set(id, summary)
    waysTo.set(id, [])
    if (listOf(summary['inferenceTypesSupported']).includes('ON_DEMAND')) {
      callable.set(id, { id, foundationId: id, ...factsOf(summary) })
      waysTo.get(id)?.push(id)
    }
  }
  for (const profile of nearestFirst(profiles.map(recordOf))) {
    const entry = profileEntry(profile, foundations, rules)
    if (entry === undefined) continue
    callable.set(entry.id, entry)
    waysTo.get(entry.foundationId)?.push(entry.id)
  }
  if (callable.size === 0 && rules.defaultModel !== undefined) {
    const id = rules.defaultModel
    callable.set(id, { id, foundationId: id, hasImages: true })
  }
  const ranked = newestFirst(foundations)
  const isOffered = (id: string) => isAllowed(id, rules.allowedModels)
  const defaultModel = rules.defaultModel ?? chosenModel(ranked, waysTo, rules.preferredModels, isOffered)
  const defaultEmbeddingModel = rules.defaultEmbeddingModel ?? rules.embeddingModels.find((id) => callable.has(id))
  const listed = new Map(callable)
  for (const [name, target] of [...rules.aliases, ...defaultAlias(defaultModel)]) {
    const entry = callable.get(target)
    if (entry !== undefined) listed.set(name, { ...entry, id: name })
  }
  for (const id of rules.compatibleIds) listed.set(id, { id, foundationId: id, hasImages: true })
  const entries = [...listed.values()]
    .filter((entry) => isOffered(entry.id) || (entry.id === defaultModelName && isOffered(defaultModel ?? '')))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .slice(0, rules.entriesMax)
  return {
    entries,
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    callable,
    waysTo,
    shortNames: shortNamesOf(ranked.map((summary) => textOf(summary['modelId']) ?? '')),
    defaultModel,
    defaultEmbeddingModel,
  }
}

function defaultAlias(id: string | undefined): readonly (readonly [string, string])[] {
  return id === undefined ? [] : [[defaultModelName, id]]
}

/** Profiles that stay near before those that lead further and anywhere, and the account's own last. */
function nearestFirst(profiles: readonly (JsonRecord | undefined)[]): readonly (JsonRecord | undefined)[] {
  const distance = (profile: JsonRecord | undefined) => {
    if (profile?.['type'] === 'APPLICATION') return 3
    const [place = ''] = textOf(profile?.['inferenceProfileId'])?.split('.') ?? []
    return place === 'global' ? 2 : place === 'apac' ? 1 : 0
  }
  return profiles.toSorted((left, right) => distance(left) - distance(right))
}

/** Models in use before those on their way out, and the newest of each first. */
function newestFirst(foundations: ReadonlyMap<string, JsonRecord>): readonly JsonRecord[] {
  const lifecycle = (summary: JsonRecord) => recordOf(summary['modelLifecycle']) ?? {}
  const rank = (summary: JsonRecord) => (lifecycle(summary)['status'] === 'LEGACY' ? 0 : 1)
  const since = (summary: JsonRecord) => textOf(lifecycle(summary)['startOfLifeTime']) ?? ''
  return [...foundations.values()].toSorted((left, right) => {
    if (rank(left) !== rank(right)) return rank(right) - rank(left)
    return since(left) === since(right) ? 0 : since(left) < since(right) ? 1 : -1
  })
}

function chosenModel(
  ranked: readonly JsonRecord[],
  waysTo: ReadonlyMap<string, readonly string[]>,
  preferred: readonly string[],
  isOffered: (id: string) => boolean,
): string | undefined {
  const candidates = ranked.filter((summary) => listOf(summary['outputModalities']).includes('TEXT'))
  const ways = (summaries: readonly JsonRecord[]) =>
    summaries.flatMap(
      (summary) =>
        waysTo
          .get(textOf(summary['modelId']) ?? '')
          ?.filter(isOffered)
          .slice(0, 1) ?? [],
    )
  const inUse = ways(candidates.filter((summary) => !isLegacy(summary)))
  for (const fragment of preferred) {
    const found = inUse.find((id) => id.toLowerCase().includes(fragment))
    if (found !== undefined) return found
  }
  return inUse[0] ?? ways(candidates)[0]
}

/** Of the models that share a name, the first stands for it. */
function shortNamesOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const id of ids) {
    const dated = undecorated(id)
    for (const name of [dated, undated(dated)]) if (!names.has(name)) names.set(name, id)
  }
  return names
}

const profilePrefix = /^(?:us-gov|us|eu|apac|jp|au|ca|global)\./

/** The foundation model that an id of any kind seems to mean, in small letters. */
export function foundationOf(id: string): string {
  const last = id.startsWith('arn:') ? id.slice(id.lastIndexOf('/') + 1) : id
  return last.toLowerCase().replace(profilePrefix, '')
}

/** A name as its maker's own interface has it: no part of the world, no vendor, no version of the provider. */
export function undecorated(id: string): string {
  return foundationOf(id)
    .replace(/^[a-z0-9]+\./, '')
    .replace(/-(?:v\d+(?::\d+)?|\d+:\d+)$/, '')
}

function undated(name: string): string {
  return name.replace(/-(?:20\d{6}|latest)$/, '')
}

function isUsable(summary: JsonRecord, id: string, rules: CatalogueRules): boolean {
  const status = textOf(recordOf(summary['modelLifecycle'])?.['status']) ?? 'ACTIVE'
  if (status !== 'ACTIVE' && status !== 'LEGACY') return false
  const outputs = listOf(summary['outputModalities'])
  if (outputs.includes('TEXT')) return summary['responseStreamingSupported'] === true
  return outputs.includes('EMBEDDING') && rules.isRegisteredEmbedding(id)
}

function factsOf(summary: JsonRecord): Pick<CatalogueEntry, 'hasImages' | 'isLegacy'> {
  const hasImages = listOf(summary['inputModalities']).includes('IMAGE')
  return isLegacy(summary) ? { hasImages, isLegacy: true } : { hasImages }
}

function isLegacy(summary: JsonRecord): boolean {
  return recordOf(summary['modelLifecycle'])?.['status'] === 'LEGACY'
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
  return { id, foundationId, ...factsOf(summary) }
}

export function isAllowed(id: string, allowed: readonly string[]): boolean {
  const lower = id.toLowerCase()
  return allowed.length === 0 || allowed.some((fragment) => lower.includes(fragment))
}
