/** Models of a provider as a session may choose them: of its own list, else of the price list, with what both know. */
import type { ListedModel } from '#shared/models/listed-model.ts'
import { factsOf, type ModelFacts, nanoPerMillion, type PriceList } from '#shared/models/price-list.ts'
import type { KnownProvider } from './known-providers.ts'
import { type ModelEntry, modelEntry, type TokenCost } from './provider-catalogue.ts'

/** From where a longer input costs more, in tokens, as the price list has it. */
const longInputTokens = 200_000

/** `listed` undefined: its list is not known. The first entry is what a session gets that asks for none. */
export function modelEntries(
  provider: Pick<KnownProvider, 'prices' | 'preferred' | 'unlisted'>,
  listed: readonly ListedModel[] | undefined,
  prices: PriceList,
): readonly ModelEntry[] {
  const { prices: table, preferred, unlisted = [] } = provider
  const facts = (id: string) => (table === undefined ? undefined : factsOf(prices, table, id, id))
  const known = table === undefined ? [] : [...(prices.models.get(table)?.keys() ?? [])]
  const models = listed ?? [...known, ...unlisted].map(withoutFacts)
  return models
    .filter((model) => canChat(model, facts(model.id)))
    .toSorted((left, right) => rank(left.id, preferred) - rank(right.id, preferred) || newerFirst(left, right))
    .map((model) => entryOf(model, facts(model.id)))
}

function withoutFacts(id: string): ListedModel {
  return { id, createdUnix: undefined, contextTokens: undefined, outputTokensMax: undefined, takes: [] }
}

/** Words of models that draw, speak, listen, embed or judge. */
const otherWork =
  /embed|whisper|(?:^|[-_/])(?:tts|image|imagen|veo|dall-e|sora|audio|realtime|moderation|transcribe|rerank|guard|ocr)(?:$|[-_/\d])/i

/** Lists name everything that can be called; a model that answers in text has a price for it and takes some. */
function canChat({ id }: ListedModel, facts: ModelFacts | undefined): boolean {
  if (otherWork.test(id)) return false
  return facts?.contextTokens !== 0 && (facts?.inputNano === undefined || (facts.outputNano ?? 0) > 0 || isFree(facts))
}

function isFree({ inputNano, outputNano }: ModelFacts): boolean {
  return inputNano === 0 && outputNano === 0
}

function rank(id: string, preferred: readonly RegExp[]): number {
  const index = preferred.findIndex((pattern) => pattern.test(undated(id)))
  return index === -1 ? preferred.length : index
}

function undated(id: string): string {
  return id.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
}

let versions: Intl.Collator | undefined

/** By their numbers: providers date the same models differently. A name without a date stands before one with it. */
function newerFirst(left: ListedModel, right: ListedModel): number {
  // Made when there is something to compare: the first one of a process takes longer than loading ten files.
  versions ??= new Intl.Collator('en', { numeric: true })
  return versions.compare(undated(right.id), undated(left.id)) || left.id.length - right.id.length
}

function entryOf(listed: ListedModel, facts: ModelFacts | undefined): ModelEntry {
  const { id, name, createdUnix, takes } = listed
  const known = modelEntry(id)
  const input = takes.length > 0 ? takes : (facts?.takes ?? [])
  const context = listed.contextTokens ?? facts?.contextTokens
  const output = listed.outputTokensMax ?? facts?.outputTokensMax
  const isDated = createdUnix !== undefined && createdUnix > 0
  const family = familyOf(id)
  return {
    ...known,
    name: name ?? id,
    ...(family === undefined ? {} : { family }),
    ...(context === undefined ? {} : { context }),
    ...(output === undefined ? {} : { output: Math.min(output, context ?? output) }),
    ...(input.length === 0 ? {} : { input }),
    cost: costOf(listed, facts) ?? known.cost,
    ...(facts?.above200k === undefined || listed.prices !== undefined
      ? {}
      : { longCost: { above: longInputTokens, ...tokenCost(facts.above200k) } }),
    ...(isDated ? { releasedMs: createdUnix * 1_000 } : {}),
  }
}

const families = [
  'claude',
  'gpt',
  'gemini',
  'gemma',
  'nova',
  'llama',
  'deepseek',
  'mistral',
  'grok',
  'qwen',
  'kimi',
  'glm',
]

function familyOf(id: string): string | undefined {
  const word = families.find((family) => id.toLowerCase().includes(family))
  return word ?? (/^o\d/.test(id) ? 'o' : undefined)
}

/** What the provider itself says goes before the table. */
function costOf({ prices }: ListedModel, facts: ModelFacts | undefined): TokenCost | undefined {
  if (prices !== undefined) {
    const { input, output, cacheRead = input, cacheWrite = input } = prices
    return { input, output, cacheRead, cacheWrite }
  }
  return facts?.inputNano === undefined ? undefined : tokenCost(facts)
}

/** What has no price of its own costs what plain input does. */
function tokenCost({
  inputNano = 0,
  outputNano = 0,
  cacheReadNano,
  cacheWriteNano,
}: ModelFacts['above200k'] & object): TokenCost {
  const dollars = (nano: number) => Number((nano / nanoPerMillion).toPrecision(12))
  return {
    input: dollars(inputNano),
    output: dollars(outputNano),
    cacheRead: dollars(cacheReadNano ?? inputNano),
    cacheWrite: dollars(cacheWriteNano ?? inputNano),
  }
}
