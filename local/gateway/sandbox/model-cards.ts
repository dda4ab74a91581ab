/**
 * The models of the stand-in's account, as far as its rules ask. Sources are the provider's model cards, its table of
 * life-cycles and its lists of inference profiles, as public pages and reports of users had them on 2026-11-22; limits of
 * the models of Claude are also those of the public feed behind `prices.toml`. The service model `bedrock` (API
 * 2023-04-20) has only the form of a listing, which account.ts gives these. Which regions have a model on demand is
 * simplified: everywhere, or nowhere.
 */
export interface ModelCard {
  readonly id: string
  readonly inputs: readonly ('TEXT' | 'IMAGE')[]
  readonly output: 'TEXT' | 'EMBEDDING'
  /** Whether the bare id may be called. Otherwise only an inference profile leads to the model. */
  readonly isOnDemand: boolean
  readonly geographies: readonly Geography[]
  readonly status: 'ACTIVE' | 'LEGACY' | 'RETIRED'
  readonly startOfLife: string
  readonly endOfLife?: string
  /** A legacy model that this account has not called for long enough to lose it. */
  readonly isAbandoned?: true
  readonly contextTokens: number
  readonly outputTokensMax: number
  readonly abilities: ReadonlySet<Ability>
  readonly thinking: readonly ('enabled' | 'adaptive')[]
}

export type Geography = 'us' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

type Ability =
  | 'tools'
  | 'tool_choice'
  | 'documents'
  | 'video'
  | 'prompt_caching'
  | 'structured_output'
  | 'count_tokens'
  /** Temperature and top_p at once. */
  | 'both_samplings'
  | 'sampling'
  | 'prefill'
  | 'words_beside_results'

const claude: readonly Ability[] = [
  'tools',
  'tool_choice',
  'documents',
  'prompt_caching',
  'structured_output',
  'count_tokens',
  'sampling',
  'prefill',
  'words_beside_results',
]

function without(abilities: readonly Ability[], ...left: readonly Ability[]): readonly Ability[] {
  return abilities.filter((ability) => !left.includes(ability))
}

const everywhere: readonly Geography[] = ['us', 'eu', 'apac', 'jp', 'au', 'global']

function textModel(id: string, more: Partial<Omit<ModelCard, 'abilities'>>, abilities: readonly Ability[]): ModelCard {
  return {
    id,
    inputs: ['TEXT', 'IMAGE'],
    output: 'TEXT',
    isOnDemand: false,
    geographies: everywhere,
    status: 'ACTIVE',
    startOfLife: '2025-01-01T00:00:00Z',
    contextTokens: 200_000,
    outputTokensMax: 64_000,
    thinking: [],
    ...more,
    abilities: new Set(abilities),
  }
}

function embedding(id: string, startOfLife: string): ModelCard {
  return {
    ...textModel(id, { isOnDemand: true, geographies: [], inputs: ['TEXT'], startOfLife }, []),
    output: 'EMBEDDING',
    contextTokens: 8_192,
  }
}

const nova: readonly Ability[] = [
  'tools',
  'tool_choice',
  'documents',
  'video',
  'prompt_caching',
  'sampling',
  'both_samplings',
  'prefill',
  'words_beside_results',
]
const open: readonly Ability[] = ['tools', 'sampling', 'both_samplings', 'prefill', 'words_beside_results']

export const modelCards: readonly ModelCard[] = [
  textModel(
    'anthropic.claude-3-5-sonnet-20241022-v2:0',
    {
      status: 'RETIRED',
      startOfLife: '2024-10-22T00:00:00Z',
      endOfLife: '2026-03-01T00:00:00Z',
      outputTokensMax: 8_192,
    },
    [...without(claude, 'structured_output'), 'both_samplings'],
  ),
  textModel(
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    { startOfLife: '2025-09-29T00:00:00Z', thinking: ['enabled'] },
    claude,
  ),
  textModel(
    'anthropic.claude-haiku-4-5-20251001-v1:0',
    { startOfLife: '2025-10-15T00:00:00Z', thinking: ['enabled'] },
    claude,
  ),
  textModel(
    'anthropic.claude-opus-4-6-v1',
    {
      startOfLife: '2026-02-05T00:00:00Z',
      contextTokens: 1_000_000,
      outputTokensMax: 128_000,
      thinking: ['enabled', 'adaptive'],
    },
    without([...claude, 'both_samplings'], 'prefill'),
  ),
  textModel(
    'anthropic.claude-sonnet-4-6',
    { startOfLife: '2026-02-17T00:00:00Z', contextTokens: 1_000_000, thinking: ['enabled', 'adaptive'] },
    claude,
  ),
  textModel(
    'anthropic.claude-opus-4-8',
    { startOfLife: '2026-05-28T00:00:00Z', contextTokens: 1_000_000, outputTokensMax: 128_000, thinking: ['adaptive'] },
    without(claude, 'prefill', 'sampling', 'structured_output'),
  ),
  textModel(
    'amazon.nova-premier-v1:0',
    {
      status: 'LEGACY',
      isAbandoned: true,
      geographies: ['us'],
      startOfLife: '2025-04-30T00:00:00Z',
      contextTokens: 1_000_000,
      outputTokensMax: 32_000,
    },
    nova,
  ),
  textModel(
    'amazon.nova-pro-v1:0',
    {
      geographies: ['us', 'eu', 'apac'],
      startOfLife: '2024-12-03T00:00:00Z',
      contextTokens: 300_000,
      outputTokensMax: 10_000,
    },
    nova,
  ),
  textModel(
    'meta.llama3-1-70b-instruct-v1:0',
    {
      isOnDemand: true,
      geographies: ['us'],
      inputs: ['TEXT'],
      startOfLife: '2024-07-23T00:00:00Z',
      contextTokens: 128_000,
      outputTokensMax: 8_192,
    },
    without(open, 'words_beside_results'),
  ),
  textModel(
    'deepseek.v3-v1:0',
    {
      isOnDemand: true,
      geographies: [],
      inputs: ['TEXT'],
      startOfLife: '2025-09-18T00:00:00Z',
      contextTokens: 128_000,
      outputTokensMax: 81_920,
    },
    [...open, 'tool_choice', 'structured_output'],
  ),
  textModel(
    'openai.gpt-oss-120b-1:0',
    {
      isOnDemand: true,
      geographies: [],
      inputs: ['TEXT'],
      startOfLife: '2025-08-05T00:00:00Z',
      contextTokens: 128_000,
      outputTokensMax: 128_000,
    },
    [...open, 'tool_choice'],
  ),
  embedding('cohere.embed-multilingual-v3', '2023-11-02T00:00:00Z'),
  embedding('cohere.embed-english-v3', '2023-11-02T00:00:00Z'),
  embedding('amazon.titan-embed-text-v1', '2023-09-28T00:00:00Z'),
  embedding('amazon.titan-embed-text-v2:0', '2024-04-30T00:00:00Z'),
  embedding('amazon.nova-2-multimodal-embeddings-v1:0', '2025-10-28T00:00:00Z'),
]

/** The geographies whose profiles a region has, the nearest first. */
export function geographiesOf(region: string): readonly Geography[] {
  const near = /^(us|ca)-/.test(region) ? 'us' : region.startsWith('eu-') ? 'eu' : undefined
  if (near !== undefined) return [near, 'global']
  if (/^ap-northeast-[13]$/.test(region)) return ['jp', 'apac', 'global']
  if (/^ap-southeast-[24]$/.test(region)) return ['au', 'apac', 'global']
  return region.startsWith('ap-') ? ['apac', 'global'] : ['global']
}
