import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, test } from 'vitest'
import { readChatListing } from '#shared/models/chat-listing.ts'
import { readGeminiListing } from '#shared/models/gemini-listing.ts'
import type { ListedModel } from '#shared/models/listed-model.ts'
import { readMessagesListing } from '#shared/models/messages-listing.ts'
import { readPriceList } from '#shared/models/price-list.ts'
import { knownProviders } from '../../../local/agent/core/known-providers.ts'
import { modelEntries } from '../../../local/agent/core/model-entries.ts'
import { unwrap } from '../../support/unwrap.ts'

const shipped = new URL('../../../workers/gateway/config/prices.toml', import.meta.url)
const prices = unwrap(readPriceList(parse(readFileSync(shipped, 'utf8'))))
const provider = (id: string) => knownProviders.find((known) => known.id === id) ?? { preferred: [] }
const listed = (id: string, more: Partial<ListedModel> = {}): ListedModel => ({
  id,
  createdUnix: undefined,
  contextTokens: undefined,
  outputTokensMax: undefined,
  takes: [],
  ...more,
})

describe('without a list', () => {
  test.for([
    ['wharf', 'default'],
    ['openai', 'gpt-5.5'],
    ['anthropic', 'claude-sonnet-5'],
    ['google', 'gemini-3.1-pro-preview'],
    ['openrouter', 'openrouter/auto'],
    ['deepseek', 'deepseek-chat'],
    ['groq', 'openai/gpt-oss-120b'],
    ['mistral', 'mistral-large-latest'],
    ['xai', 'grok-4'],
  ] as const)('%s offers %s first', ([id, first], { expect }) => {
    expect(modelEntries(provider(id), undefined, prices)[0]?.id).toBe(first)
  })

  test('what answers in text alone is offered, with its limits and prices', ({ expect }) => {
    const entries = modelEntries(provider('openai'), undefined, prices)
    const ids = entries.map(({ id }) => id)
    for (const other of ['gpt-image-1', 'gpt-image-2', 'chatgpt-image-latest', 'text-embedding-3-small'])
      expect(ids).not.toContain(other)
    expect(entries.find(({ id }) => id === 'gpt-5.4-mini')).toMatchObject({
      context: 400_000,
      output: 128_000,
      input: ['text', 'image'],
      family: 'gpt',
      cost: { input: 0.75, output: 4.5, cacheRead: 0.075 },
    })
    for (const { cost } of entries) expect(cost.output).toBeGreaterThan(0)
  })
})

describe('of a list', () => {
  const ids = (id: string, models: readonly ListedModel[]) =>
    modelEntries(provider(id), models, prices).map((model) => model.id)

  test('only what it names is offered, the newest of the best family first', ({ expect }) => {
    expect(
      ids(
        'anthropic',
        ['claude-opus-4-8', 'claude-sonnet-4-20250514', 'claude-sonnet-4-6', 'claude-next-1'].map((id) => listed(id)),
      ),
    ).toEqual(['claude-sonnet-4-6', 'claude-sonnet-4-20250514', 'claude-opus-4-8', 'claude-next-1'])
    expect(
      ids(
        'openai',
        ['whisper-1', 'gpt-4o-mini-tts', 'gpt-realtime', 'omni-moderation-latest', 'gpt-4o', 'gpt-9'].map((id) =>
          listed(id),
        ),
      ),
    ).toEqual(['gpt-9', 'gpt-4o'])
  })

  test.for([
    [
      'its own limits before the table’s',
      { contextTokens: 9_000, outputTokensMax: 700 },
      { context: 9_000, output: 700 },
    ],
    [
      'never more output than fits',
      { contextTokens: 2_000, outputTokensMax: 4_000 },
      { context: 2_000, output: 2_000 },
    ],
    ['the table’s where it tells none', {}, { context: 400_000, output: 128_000, input: ['text', 'image'] }],
    ['what it takes', { takes: ['text'] }, { input: ['text'] }],
    ['its name and day', { name: 'Five', createdUnix: 1_754_524_800 }, { name: 'Five', releasedMs: 1_754_524_800_000 }],
    [
      'its own prices',
      { prices: { input: 7, output: 8, cacheRead: 1, cacheWrite: undefined } },
      { cost: { input: 7, output: 8, cacheRead: 1, cacheWrite: 7 } },
    ],
  ] as const)('an entry has %s', ([, told, expected], { expect }) => {
    expect(modelEntries(provider('openai'), [listed('gpt-5', told)], prices)[0]).toMatchObject(expected)
  })

  test('what nobody knows has the least that every model has, and no price', ({ expect }) => {
    expect(modelEntries({ preferred: [] }, [listed('some/model')], prices)).toEqual([
      {
        id: 'some/model',
        name: 'some/model',
        context: 128_000,
        output: 8_192,
        tools: true,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ])
  })

  test('above 200,000 tokens of input the table has a second price', ({ expect }) => {
    const two = unwrap(
      readPriceList({
        dated: '2026-07-02',
        gemini: { 'gemini-9-pro': { input: 1, output: 10, above_200k: { input: 2, output: 15 } } },
      }),
    )
    expect(modelEntries(provider('google'), undefined, two)[0]).toMatchObject({
      cost: { input: 1, output: 10, cacheRead: 1 },
      longCost: { above: 200_000, input: 2, output: 15, cacheRead: 2, cacheWrite: 2 },
    })
  })
})

describe('a list is read in the words of its provider', () => {
  test.for([
    [
      'our gateway',
      readChatListing,
      {
        data: [
          {
            id: 'default',
            created: 0,
            context_window: 200_000,
            max_output_tokens: 64_000,
            input_modalities: ['text', 'image', 'pdf'],
            pricing: { currency: 'USD', per_million_tokens: { input: 3, output: 15, cache_read: 0.3 } },
          },
        ],
      },
      {
        contextTokens: 200_000,
        outputTokensMax: 64_000,
        takes: ['text', 'image', 'pdf'],
        prices: { input: 3, output: 15, cacheRead: 0.3 },
      },
    ],
    [
      'a router, in dollars a token',
      readChatListing,
      {
        data: [
          {
            id: 'a/b',
            name: 'A: B',
            context_length: 1_000,
            architecture: { input_modalities: ['text', 'file'] },
            top_provider: { max_completion_tokens: 500 },
            pricing: { prompt: '0.0000003', completion: '0.0000015', input_cache_read: '0.00000003' },
          },
        ],
      },
      {
        name: 'A: B',
        contextTokens: 1_000,
        outputTokensMax: 500,
        takes: ['text', 'pdf'],
        prices: { input: 0.3, output: 1.5, cacheRead: 0.03 },
      },
    ],
    [
      'a router that cannot say before it has chosen',
      readChatListing,
      { data: [{ id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } }] },
      { prices: undefined },
    ],
    [
      'one with limits under other names',
      readChatListing,
      { data: [{ id: 'a', context_window: 131_072, max_completion_tokens: 65_536 }] },
      { contextTokens: 131_072, outputTokensMax: 65_536, prices: undefined },
    ],
    [
      'messages',
      readMessagesListing,
      {
        data: [
          {
            id: 'claude',
            display_name: 'Claude',
            created_at: '2025-09-29T00:00:00Z',
            max_input_tokens: 5,
            max_tokens: 4,
          },
        ],
        has_more: false,
      },
      { name: 'Claude', createdUnix: 1_759_104_000, contextTokens: 5, outputTokensMax: 4 },
    ],
    [
      'Gemini',
      readGeminiListing,
      {
        models: [
          {
            name: 'models/g',
            displayName: 'G',
            inputTokenLimit: 9,
            outputTokenLimit: 8,
            supportedGenerationMethods: ['generateContent'],
          },
        ],
      },
      { id: 'g', name: 'G', contextTokens: 9, outputTokensMax: 8 },
    ],
  ] as const)('%s', ([, read, body, expected], { expect }) => {
    expect(read(body)?.models).toMatchObject([expected])
  })
})
