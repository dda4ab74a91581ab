import type { ModelTraits } from '../registry.ts'
import type { CachePoint, ConverseTurn, SystemBlock, ToolSpecification } from '../wire/converse-request.ts'

export interface CacheWish {
  readonly system: boolean
  readonly messages: boolean
  readonly ttl: '5m' | '1h'
}

export interface Cached {
  readonly tools: readonly (ToolSpecification | CachePoint)[]
  readonly system: readonly (SystemBlock | CachePoint)[]
  readonly turns: readonly ConverseTurn[]
}

const wordsToTokens = 1.3

/**
 * Places cache points in the order the provider reads a request: tools, system, messages. They share one budget and
 * one TTL, so that a longer one never follows a shorter. A point is a block of its own, never inside a tool result.
 */
export function placeCachePoints(
  tools: readonly ToolSpecification[],
  system: readonly SystemBlock[],
  turns: readonly ConverseTurn[],
  wish: CacheWish,
  traits: ModelTraits,
): Cached {
  if (!traits.capabilities.has('prompt_caching') || (!wish.system && !wish.messages)) return { tools, system, turns }
  const ttl = wish.ttl === '1h' && traits.capabilities.has('prompt_cache_1h') ? '1h' : '5m'
  const point: CachePoint = { cachePoint: ttl === '1h' ? { type: 'default', ttl } : { type: 'default' } }
  let budget = traits.parameters.cachePointsMax ?? 4
  const least = traits.parameters.cacheTokensMin ?? 1_024

  const cachesTools = wish.system && tools.length > 0 && traits.capabilities.has('prompt_cache_tools')
  if (cachesTools) budget -= 1
  // What the provider compares with its least length is everything before the point, tools included.
  const systemTokens =
    estimateTokens(JSON.stringify(cachesTools ? tools : [])) +
    system.reduce((sum, block) => sum + ('text' in block ? estimateTokens(block.text) : 0), 0)
  const cachesSystem = wish.system && system.length > 0 && systemTokens >= least && budget > 0
  if (cachesSystem) budget -= 1

  const marked = new Set<number>()
  if (wish.messages) {
    for (let index = turns.length - 1; index >= 0 && marked.size < Math.min(budget, 2); index -= 1) {
      if (turns[index]?.role === 'user') marked.add(index)
    }
  }
  return {
    tools: cachesTools ? [...tools, point] : tools,
    system: cachesSystem ? [...system, point] : system,
    turns: turns.map((turn, index) => (marked.has(index) ? { ...turn, content: [...turn.content, point] } : turn)),
  }
}

/** Keeps a client's own marks where the model knows them: no more than it takes, the last ones first. */
export function keepMarks(
  tools: readonly ToolSpecification[],
  marksTools: '5m' | '1h' | undefined,
  system: readonly SystemBlock[],
  turns: readonly ConverseTurn[],
  traits: ModelTraits,
): Cached {
  const isPoint = (block: object) => 'cachePoint' in block
  if (!traits.capabilities.has('prompt_caching')) {
    const plain = turns.map((turn) => ({ ...turn, content: turn.content.filter((block) => !isPoint(block)) }))
    return { tools, system: system.filter((block) => !isPoint(block)), turns: plain }
  }
  const hasLong = traits.capabilities.has('prompt_cache_1h')
  let left = traits.parameters.cachePointsMax ?? 4
  let isLongOver = false
  const kept = <T extends object>(blocks: readonly T[]): readonly (T | CachePoint)[] =>
    blocks
      .toReversed()
      .flatMap((block): readonly (T | CachePoint)[] => {
        if (!('cachePoint' in block)) return [block]
        left -= 1
        if (left < 0) return []
        // Read from the end: in front of a mark that is kept long, none is kept for a short time only.
        isLongOver ||= hasLong && (block as unknown as CachePoint).cachePoint.ttl === '1h'
        return [{ cachePoint: isLongOver ? { type: 'default', ttl: '1h' } : { type: 'default' } }]
      })
      .toReversed()
  const keptTurns = turns
    .toReversed()
    .map((turn) => ({ ...turn, content: kept(turn.content) }) as ConverseTurn)
    .toReversed()
  const keptSystem = kept(system) as Cached['system']
  const toolPoint: CachePoint = {
    cachePoint: marksTools === '1h' ? { type: 'default', ttl: '1h' } : { type: 'default' },
  }
  const canMarkTools = marksTools !== undefined && traits.capabilities.has('prompt_cache_tools')
  return {
    tools: canMarkTools ? (kept([...tools, toolPoint]) as Cached['tools']) : tools,
    system: keptSystem,
    turns: keptTurns,
  }
}

function estimateTokens(text: string): number {
  let words = 0
  let isInWord = false
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) <= 0x20
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
  }
  return words * wordsToTokens
}
