/**
 * Providers that can be used without configuration. Limits and prices are those that each provider published; a model
 * that is not listed works as well, and the configuration can correct or add any of them.
 */
import { type ModelEntry, modelEntry, type ProviderEntry } from './provider-catalogue.ts'

type Facts = Partial<Omit<ModelEntry, 'id' | 'name' | 'cost'>>

/** Prices in the order input, output, cache read, cache write. */
function model(id: string, name: string, prices: readonly number[], facts: Facts): ModelEntry {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = prices
  return modelEntry(id, { name, cost: { input, output, cacheRead, cacheWrite }, ...facts })
}

const vision = ['text', 'image']
const visionAndPdf = ['text', 'image', 'pdf']
const claude = { family: 'claude', context: 200_000, output: 64_000, input: visionAndPdf }
const sonnetPrices = [3, 15, 0.3, 3.75]
const haikuPrices = [1, 5, 0.1, 1.25]
const opusPrices = [15, 75, 1.5, 18.75]
const gpt5 = { family: 'gpt', context: 400_000, output: 128_000, input: visionAndPdf, released: '2025-08-07' }
const gpt4 = { family: 'gpt', context: 1_047_576, output: 32_768, input: vision, released: '2025-04-14' }
const gemini = { family: 'gemini', context: 1_048_576, output: 65_536, input: visionAndPdf, released: '2025-06-17' }

export const builtInProviders: readonly ProviderEntry[] = [
  {
    id: 'wharf',
    name: 'Wharf gateway',
    package: '@ai-sdk/openai-compatible',
    url: 'http://127.0.0.1:8787/api/v1',
    keyVariables: ['WHARF_API_KEY'],
    urlVariable: 'WHARF_GATEWAY_URL',
    models: [
      // The gateway chooses it from what the account can call, and finds the way to a model by its maker's name.
      model('default', 'The gateway’s default', sonnetPrices, { ...claude, input: vision, released: '2026-02-17' }),
      model('claude-sonnet-4-6', 'Claude Sonnet 4.6', sonnetPrices, {
        ...claude,
        input: vision,
        released: '2026-02-17',
      }),
      model('claude-sonnet-4-5', 'Claude Sonnet 4.5', sonnetPrices, {
        ...claude,
        input: vision,
        released: '2025-09-29',
      }),
      model('claude-haiku-4-5', 'Claude Haiku 4.5', haikuPrices, {
        ...claude,
        input: vision,
        released: '2025-10-15',
      }),
      model('amazon.nova-pro-v1:0', 'Nova Pro', [0.8, 3.2, 0.2], {
        family: 'nova',
        context: 300_000,
        output: 10_000,
        input: vision,
        released: '2024-12-03',
      }),
    ],
  },
  {
    id: 'openai',
    name: 'OpenAI',
    package: '@ai-sdk/openai',
    url: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    models: [
      model('gpt-5', 'GPT-5', [1.25, 10, 0.125], gpt5),
      model('gpt-5-mini', 'GPT-5 mini', [0.25, 2, 0.025], gpt5),
      model('gpt-5-nano', 'GPT-5 nano', [0.05, 0.4, 0.005], gpt5),
      model('gpt-4.1', 'GPT-4.1', [2, 8, 0.5], gpt4),
      model('gpt-4.1-mini', 'GPT-4.1 mini', [0.4, 1.6, 0.1], gpt4),
      model('o4-mini', 'o4-mini', [1.1, 4.4, 0.275], {
        family: 'o',
        context: 200_000,
        output: 100_000,
        input: vision,
        released: '2025-04-16',
      }),
    ],
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    package: '@ai-sdk/anthropic',
    url: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    models: [
      model('claude-sonnet-4-5', 'Claude Sonnet 4.5', sonnetPrices, { ...claude, released: '2025-09-29' }),
      model('claude-haiku-4-5', 'Claude Haiku 4.5', haikuPrices, { ...claude, released: '2025-10-15' }),
      model('claude-opus-4-1', 'Claude Opus 4.1', opusPrices, { ...claude, output: 32_000, released: '2025-08-05' }),
    ],
  },
  {
    id: 'google',
    name: 'Google',
    package: '@ai-sdk/google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    models: [
      model('gemini-2.5-pro', 'Gemini 2.5 Pro', [1.25, 10, 0.31], {
        ...gemini,
        longCost: { above: 200_000, input: 2.5, output: 15, cacheRead: 0.625, cacheWrite: 0 },
      }),
      model('gemini-2.5-flash', 'Gemini 2.5 Flash', [0.3, 2.5, 0.075], gemini),
      model('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', [0.1, 0.4, 0.025], gemini),
    ],
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    package: '@ai-sdk/openai-compatible',
    url: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    models: [modelEntry('openrouter/auto', { name: 'Auto' })],
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    package: '@ai-sdk/openai-compatible',
    url: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    models: [
      model('deepseek-chat', 'DeepSeek Chat', [0.56, 1.68, 0.07], { family: 'deepseek', released: '2024-12-26' }),
      model('deepseek-reasoner', 'DeepSeek Reasoner', [0.56, 1.68, 0.07], {
        family: 'deepseek',
        output: 64_000,
        released: '2025-01-20',
      }),
    ],
  },
  {
    id: 'groq',
    name: 'Groq',
    package: '@ai-sdk/openai-compatible',
    url: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    models: [
      model('llama-3.3-70b-versatile', 'Llama 3.3 70B', [0.59, 0.79], {
        family: 'llama',
        context: 131_072,
        output: 32_768,
        released: '2024-12-06',
      }),
      model('openai/gpt-oss-120b', 'GPT-OSS 120B', [0.15, 0.75], {
        family: 'gpt',
        context: 131_072,
        output: 32_768,
        released: '2025-08-05',
      }),
    ],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    package: '@ai-sdk/openai-compatible',
    url: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    models: [
      model('mistral-large-latest', 'Mistral Large', [2, 6], { family: 'mistral', output: 16_384 }),
      model('mistral-medium-latest', 'Mistral Medium', [0.4, 2], { family: 'mistral', output: 16_384, input: vision }),
      model('codestral-latest', 'Codestral', [0.3, 0.9], { family: 'mistral', context: 256_000, output: 4_096 }),
    ],
  },
  {
    id: 'xai',
    name: 'xAI',
    package: '@ai-sdk/openai-compatible',
    url: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    models: [
      model('grok-4', 'Grok 4', [3, 15, 0.75], {
        family: 'grok',
        context: 256_000,
        output: 64_000,
        input: vision,
        released: '2025-07-09',
      }),
      model('grok-code-fast-1', 'Grok Code Fast', [0.2, 1.5, 0.02], {
        family: 'grok',
        context: 256_000,
        output: 10_000,
        released: '2025-08-28',
      }),
    ],
  },
]
