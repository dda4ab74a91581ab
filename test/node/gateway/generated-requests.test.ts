/**
 * Requests made of the types that the clients' packages declare, which are made of the dialects' published schemas: none
 * makes the gateway fail, and nothing of a request that is answered is dropped in silence. What is left out of it again
 * must have changed what the provider was asked, or what was answered, or be named in a header.
 */
import { test } from 'vitest'
import { asksForNothing } from '../../../workers/gateway/core/unread-members.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { declaredShapes } from '../../support/declared-shapes.ts'
import { opus, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { gatewayWithoutSockets } from '../../support/gateway-without-sockets.ts'
import { at, generated, optionalPlaces, type Place, type Value, without } from '../../support/generated-requests.ts'

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 600)
const seed = Number(process.env['WHARF_FUZZ_SEED'] || 20_261_124)
const share = {
  '/chat/completions': 0.35,
  '/responses': 0.3,
  '/messages': 0.3,
  '/completions': 0.03,
  '/embeddings': 0.02,
}

const shapes = declaredShapes({
  chat: 'OpenAI.ChatCompletionCreateParamsNonStreaming',
  responses: 'OpenAI.Responses.ResponseCreateParamsNonStreaming',
  messages: 'Anthropic.MessageCreateParamsNonStreaming',
  completions: 'OpenAI.CompletionCreateParamsNonStreaming',
  embeddings: 'OpenAI.EmbeddingCreateParams',
})
const shapeOf = {
  '/chat/completions': shapes.chat,
  '/responses': shapes.responses,
  '/messages': shapes.messages,
  '/completions': shapes.completions,
  '/embeddings': shapes.embeddings,
} as const

const models = [sonnet, opus, 'amazon.nova-pro-v1:0', 'deepseek.v3-v1:0']
const embeddingModels = ['vendor-a.embed-english-v3', 'vendor-b.embed-text-v2:0']

test.for(Object.keys(shapeOf) as (keyof typeof shapeOf)[])(
  'whatever is declared for %s is followed, named or refused',
  { timeout: 120_000 + runs * 60 },
  async (route, { expect }) => {
    const { gateway, asked } = gatewayWithoutSockets({ ENABLE_PROMPT_CACHING: 'false' })
    const random = seededRandom(seed)
    const send = async (body: unknown) => {
      asked.length = 0
      const answer = await gateway.fetch(
        new Request(`http://gateway.test/api/v1${route}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${testKey}` },
          body: JSON.stringify(body),
        }),
      )
      const ignored = (answer.headers.get('x-gateway-ignored') ?? '').split(/, ?/)
      return {
        status: answer.status,
        ignored,
        text: await answer.text(),
        sent: JSON.stringify(asked.map((one) => one.body)),
      }
    }
    const found: Record<number, number> = {}
    const silent = new Map<string, unknown>()
    const shape = shapeOf[route]
    for (let run = 0; run < runs * share[route]; run += 1) {
      const body = generated(shape, route === '/embeddings' ? embeddingModels : models, random)
      const first = await send(body)
      found[first.status] = (found[first.status] ?? 0) + 1
      expect({ body, ...first }).toMatchObject({ status: expect.toBeOneOf([200, 400, 404]) })
      if (first.status !== 200) continue
      const places = optionalPlaces(shape, body)
      const place = places[Math.floor(random() * places.length)]
      if (place === undefined || isWithoutEffect(body, place)) continue
      const second = await send(without(body, place))
      if (second.status === 200 && !isTold(body, place, first.ignored) && !hasEffect(first, second)) {
        silent.set(named(place).join('.'), body)
      }
    }
    expect(Object.fromEntries(silent)).toEqual({})
    // Neither half is empty, so both were tried.
    expect(found[200]).toBeGreaterThan((runs * share[route]) / 50)
    expect(found[400]).toBeGreaterThan(0)
  },
)

interface Sent {
  readonly text: string
  readonly sent: string
}

/** A header tells that results have no call, or calls no id of their own: whatever was in them is gone with them. */
const unpaired = ['messages', 'input', 'content']

/** The names on the way to a place, and the kinds of what lies on it: a header may tell of either. */
function stepsOf(body: Value, place: Place): readonly string[] {
  const kinds = place.map((_, index) => at(body, [...place.slice(0, index + 1), 'type']))
  return ['more', ...unpaired, ...named(place), ...kinds.filter((kind) => typeof kind === 'string')]
}

/** Whether a header names a place, what it lies in, or what lies in it. */
function isTold(body: Value, place: Place, ignored: readonly string[]): boolean {
  const steps = stepsOf(body, place)
  const path = named(place).join('.')
  return ignored.some((name) => name.startsWith(`${path}.`) || name.split('.').every((part) => steps.includes(part)))
}

function hasEffect(first: Sent, second: Sent): boolean {
  return first.sent !== second.sent || comparable(first.text) !== comparable(second.text)
}

/** Ids and times are new in each answer. */
function comparable(text: string): string {
  return text.replaceAll(/[0-9a-f]{16,}|"created(_at)?":\d+/g, '')
}

/**
 * Members without an effect that anybody could see, and why. A member that says what is done anyway is none of them:
 * the values that do so are listed with it.
 */
const withoutEffect: Readonly<Record<string, readonly unknown[] | 'any'>> = {
  // Who asks is for the maker's own eyes, and every answer is of the standard tier.
  metadata: 'any',
  'metadata.user_id': 'any',
  service_tier: 'any',
  // Whether an answer is kept shows when it is asked for; what an answer includes, when it has such items.
  store: 'any',
  include: 'any',
  // Of a stream, which these requests are not.
  stream_options: 'any',
  'stream_options.include_usage': 'any',
  // Calls at once are allowed unless they are forbidden, which a model may follow without a sign.
  parallel_tool_calls: 'any',
  tool_choice: 'any',
  'tool_choice.disable_parallel_tool_use': 'any',
  function_call: 'any',
  // Reasoning of another maker means nothing to a model.
  'input.encrypted_content': ['hi', 'some words', 'x'],
  encoding_format: ['float'],
  n: [1],
  reasoning_effort: ['none'],
  'tools.type': ['custom'],
  // An item that does not say what it is is a message, with its id alone a reference, and a schema of an answer binds the model either way.
  'input.type': ['message', 'item_reference'],
  'response_format.json_schema.strict': [true],
  // What an item was called and how it ended are of the past.
  'input.id': 'any',
  'input.status': 'any',
}

/** Members that say the same, where the newer one decides: the older one alone would be followed. */
const saidAgain: Readonly<Record<string, Place>> = {
  max_tokens: ['max_completion_tokens'],
  max_completion_tokens: ['max_tokens'],
  output_config: ['thinking'],
  'output_config.effort': ['thinking'],
  thinking: ['output_config', 'effort'],
}

function isWithoutEffect(body: Value, place: Place): boolean {
  const value = at(body, place)
  // Tools that a client forbids are not told to the model.
  const isForbidden = at(body, ['tool_choice']) === 'none' || at(body, ['function_call']) === 'none'
  if (isForbidden && /^(?:tools|functions)$/.test(String(place[0]))) return true
  // In front of a mark that is kept for an hour none is kept for less.
  if (place.at(-1) === 'ttl' && JSON.stringify(body).split('"ttl":"1h"').length > 2) return true
  const other = saidAgain[named(place).join('.')]
  if (other !== undefined && at(body, other) !== undefined) return true
  const values = withoutEffect[named(place).join('.')]
  return values === 'any' || values?.includes(value) === true || saysTheUsual(value)
}

const usual = ['text', 'auto', 'default', 'disabled', '5m']

function saysTheUsual(value: Value | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(saysTheUsual)
  return asksForNothing(value) || usual.includes(String(value))
}

function named(place: Place): readonly string[] {
  return place.filter((step) => typeof step === 'string')
}
