/** Providers that can be used without configuration: where they are, and how they are asked what they have. */
import {
  chatInterface,
  geminiInterface,
  messagesInterface,
  type ProviderInterface,
} from '#shared/models/provider-interfaces.ts'
import type { ProviderPackage } from './provider-catalogue.ts'

export interface KnownProvider {
  readonly id: string
  readonly name: string
  readonly package: ProviderPackage
  readonly url: string
  /** Any of these holds the key. */
  readonly keyVariables: readonly string[]
  /** A variable that moves the address. */
  readonly urlVariable?: string
  /** The table of the price list that names its models. */
  readonly prices?: string
  /** Which model is offered first, the best family before others; the newest of a family leads it. */
  readonly preferred: readonly RegExp[]
  /** Models that are named while neither its own list nor a table does. */
  readonly unlisted?: readonly string[]
}

const compatible = '@ai-sdk/openai-compatible'

export const knownProviders: readonly KnownProvider[] = [
  {
    id: 'wharf',
    name: 'Wharf gateway',
    package: compatible,
    url: 'http://127.0.0.1:8787/api/v1',
    keyVariables: ['WHARF_API_KEY'],
    urlVariable: 'WHARF_GATEWAY_URL',
    // The gateway chooses it from what the account can call.
    preferred: [/^default$/],
    unlisted: ['default'],
  },
  {
    id: 'openai',
    name: 'OpenAI',
    package: '@ai-sdk/openai',
    url: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    prices: 'openai',
    preferred: [/^gpt-[\d.]+$/, /^gpt-[\d.]+-(?:codex|mini)$/, /^gpt-/],
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    package: '@ai-sdk/anthropic',
    url: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    prices: 'anthropic',
    preferred: [/^claude-sonnet/, /^claude-opus/, /^claude-haiku/],
  },
  {
    id: 'google',
    name: 'Google',
    package: '@ai-sdk/google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    prices: 'gemini',
    preferred: [/^gemini-[\d.]+-pro(?:-preview)?$/, /^gemini-[\d.]+-flash(?:-preview)?$/, /^gemini-/],
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    package: compatible,
    url: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    preferred: [/^openrouter\/auto$/],
    unlisted: ['openrouter/auto'],
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    package: compatible,
    url: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    preferred: [/^deepseek-chat$/],
    unlisted: ['deepseek-chat', 'deepseek-reasoner'],
  },
  {
    id: 'groq',
    name: 'Groq',
    package: compatible,
    url: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    preferred: [/gpt-oss-120b$/, /^llama-/],
    unlisted: ['openai/gpt-oss-120b', 'llama-3.3-70b-versatile'],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    package: compatible,
    url: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    preferred: [/^mistral-large-latest$/, /^mistral-medium-latest$/, /-latest$/],
    unlisted: ['mistral-large-latest', 'mistral-medium-latest', 'codestral-latest'],
  },
  {
    id: 'xai',
    name: 'xAI',
    package: compatible,
    url: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    preferred: [/^grok-[\d.]+$/, /^grok-code/, /^grok-/],
    unlisted: ['grok-4', 'grok-code-fast-1'],
  },
]

/** What its package speaks; the two of OpenAI's interfaces list models alike. */
export function interfaceOf(spoken: ProviderPackage): ProviderInterface {
  if (spoken === '@ai-sdk/anthropic') return messagesInterface
  return spoken === '@ai-sdk/google' ? geminiInterface : chatInterface
}
