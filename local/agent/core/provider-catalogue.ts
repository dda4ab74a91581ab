/** Providers that can be used without configuration: an address that speaks the common chat interface, and its key. */
export interface ModelEntry {
  readonly id: string
  readonly name: string
  readonly family?: string
  readonly context: number
  readonly output: number
  readonly tools: boolean
  readonly input: readonly string[]
  /** US dollars for a million tokens. Zero where the price is not known here. */
  readonly cost: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
}

export interface ProviderEntry {
  readonly id: string
  readonly name: string
  readonly url: string
  /** Any of these holds the key. */
  readonly keyVariables: readonly string[]
  /** A variable that moves the address. */
  readonly urlVariable?: string
  /** Answers without a key, as servers on this machine do. */
  readonly worksWithoutKey?: boolean
  readonly models: readonly ModelEntry[]
}

const unknownCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export function modelEntry(id: string, facts: Partial<Omit<ModelEntry, 'id'>> = {}): ModelEntry {
  return { id, name: id, context: 128_000, output: 8_192, tools: true, input: ['text'], cost: unknownCost, ...facts }
}

const vision = ['text', 'image']

export const builtInProviders: readonly ProviderEntry[] = [
  {
    id: 'wharf',
    name: 'Wharf gateway',
    url: 'http://127.0.0.1:8787/api/v1',
    keyVariables: ['WHARF_API_KEY'],
    urlVariable: 'WHARF_GATEWAY_URL',
    models: [
      modelEntry('anthropic.claude-sonnet-4-5-20250929-v1:0', {
        name: 'Claude Sonnet 4.5',
        family: 'claude',
        context: 200_000,
        output: 64_000,
        input: vision,
      }),
      modelEntry('anthropic.claude-haiku-4-5-20251001-v1:0', {
        name: 'Claude Haiku 4.5',
        family: 'claude',
        context: 200_000,
        output: 64_000,
        input: vision,
      }),
      modelEntry('amazon.nova-pro-v1:0', {
        name: 'Nova Pro',
        family: 'nova',
        context: 300_000,
        output: 10_000,
        input: vision,
      }),
    ],
  },
  {
    id: 'openai',
    name: 'OpenAI',
    url: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    models: [
      modelEntry('gpt-5', { name: 'GPT-5', family: 'gpt', context: 400_000, output: 128_000, input: vision }),
      modelEntry('gpt-5-mini', { name: 'GPT-5 mini', family: 'gpt', context: 400_000, output: 128_000, input: vision }),
      modelEntry('gpt-4.1', { name: 'GPT-4.1', family: 'gpt', context: 1_047_576, output: 32_768, input: vision }),
    ],
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    models: [
      modelEntry('claude-sonnet-4-5', {
        name: 'Claude Sonnet 4.5',
        family: 'claude',
        context: 200_000,
        output: 64_000,
        input: vision,
      }),
      modelEntry('claude-haiku-4-5', {
        name: 'Claude Haiku 4.5',
        family: 'claude',
        context: 200_000,
        output: 64_000,
        input: vision,
      }),
    ],
  },
  {
    id: 'google',
    name: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    models: [
      modelEntry('gemini-2.5-pro', {
        name: 'Gemini 2.5 Pro',
        family: 'gemini',
        context: 1_048_576,
        output: 65_536,
        input: vision,
      }),
      modelEntry('gemini-2.5-flash', {
        name: 'Gemini 2.5 Flash',
        family: 'gemini',
        context: 1_048_576,
        output: 65_536,
        input: vision,
      }),
    ],
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    models: [modelEntry('openrouter/auto', { name: 'Auto' })],
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    url: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    models: [
      modelEntry('deepseek-chat', { name: 'DeepSeek Chat' }),
      modelEntry('deepseek-reasoner', { name: 'DeepSeek Reasoner' }),
    ],
  },
  {
    id: 'groq',
    name: 'Groq',
    url: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    models: [modelEntry('llama-3.3-70b-versatile', { name: 'Llama 3.3 70B', family: 'llama', output: 32_768 })],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    url: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    models: [
      modelEntry('mistral-large-latest', { name: 'Mistral Large' }),
      modelEntry('codestral-latest', { name: 'Codestral', context: 256_000 }),
    ],
  },
  {
    id: 'xai',
    name: 'xAI',
    url: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    models: [modelEntry('grok-4', { name: 'Grok 4', family: 'grok', context: 256_000, input: vision })],
  },
]
