import { numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { tokensInBody } from '../core/embeddings/embedding-plan.ts'
import type { Failure } from '../core/failure.ts'
import { noTokens, type TokenCount } from '../core/keys/call-record.ts'
import { passedUsage } from '../core/keys/usage-in-text.ts'
import {
  type ConverseAnswer,
  type ConverseEvent,
  type ProviderUsage,
  readableReasoning,
} from '../core/wire/converse-answer.ts'
import { usageTailCharactersMax } from '../limits.ts'
import type { CompatibleEndpoint, EventBatches, OutgoingAnswer, Provider } from '../ports.ts'
import type { CallMeter, OpenCall } from './call-meter.ts'
import { tappedBytes } from './tapped-bytes.ts'

/** Under which name its calls are written down, and in which table of prices its models are. */
interface MeteredName {
  readonly provider: string
  readonly prices: string
}

/** The provider, with every call reserved before and written down after. */
export function meteredProvider(plain: Provider, meter: CallMeter, { provider, prices }: MeteredName): Provider {
  return {
    async converse(modelId, request, context) {
      const outputTokensMax = request.inferenceConfig?.maxTokens
      const opened = await meter.open({ provider, prices, modelId, body: request, outputTokensMax }, context)
      if (!opened.ok) return opened
      const call = opened.value
      const answered = await plain.converse(modelId, request, call?.noting() ?? context)
      if (call === undefined) return answered
      if (!answered.ok) return failed(call, answered.failure)
      await call.end('answered', { tokens: tokensOfAnswer(answered.value) })
      return answered
    },
    async converseStream(modelId, request, context) {
      const outputTokensMax = request.inferenceConfig?.maxTokens
      const opened = await meter.open({ provider, prices, modelId, body: request, outputTokensMax }, context)
      if (!opened.ok) return opened
      const call = opened.value
      const events = await plain.converseStream(modelId, request, call?.noting() ?? context)
      if (call === undefined) return events
      if (!events.ok) return failed(call, events.failure)
      call.endWithClient()
      return succeed(meteredEvents(events.value, call))
    },
    countTokens: (foundationId, request, context) => plain.countTokens(foundationId, request, context),
    async embed(embedding, context) {
      const { modelId, body } = embedding
      const opened = await meter.open({ provider, prices, modelId, body, outputTokensMax: 0 }, context)
      if (!opened.ok) return opened
      const call = opened.value
      const answered = await plain.embed(embedding, call?.noting() ?? context)
      if (call === undefined) return answered
      if (!answered.ok) return failed(call, answered.failure)
      const input = answered.value.inputTokens ?? tokensInBody(answered.value.body)
      await call.end('answered', input === undefined ? {} : { tokens: { ...noTokens, input } })
      return answered
    },
  }
}

/** The same for the surface that speaks the reference's dialect: its bytes pass as they are, and are looked at. */
export function meteredEndpoint(
  plain: CompatibleEndpoint,
  meter: CallMeter,
  { provider, prices }: MeteredName,
): CompatibleEndpoint {
  return {
    async send(surface, body, context) {
      // Counting costs nothing, and nothing of it is written down.
      if (surface === 'count_tokens') return plain.send(surface, body, context)
      const asked = recordOf(body) ?? {}
      const outputTokensMax =
        numberOf(asked['max_completion_tokens']) ??
        numberOf(asked['max_tokens']) ??
        numberOf(asked['max_output_tokens'])
      const opened = await meter.open(
        { provider, prices, modelId: String(asked['model']), body, outputTokensMax },
        context,
      )
      if (!opened.ok) return opened
      const call = opened.value
      const answered = await plain.send(surface, body, call?.noting() ?? context)
      if (call === undefined) return answered
      if (!answered.ok) return failed(call, answered.failure)
      call.endWithClient()
      return succeed(meteredAnswer(answered.value, call))
    },
  }
}

async function failed(call: OpenCall, failure: Failure) {
  await call.failed(failure)
  return failWith(failure)
}

function tokensOf(usage: ProviderUsage, reasoning: number): TokenCount {
  return {
    input: usage.inputTokens,
    cacheRead: usage.cacheReadTokens,
    cacheWrite: usage.cacheWriteTokens,
    output: usage.outputTokens,
    reasoning: Math.min(usage.reasoningTokens ?? reasoning, usage.outputTokens),
  }
}

function tokensOfAnswer({ blocks, usage }: ConverseAnswer): TokenCount {
  let characters = 0
  for (const block of blocks) if (block.kind === 'reasoning') characters += readableReasoning(block.block).length
  return tokensOf(usage, Math.ceil(characters / 4))
}

function meteredEvents(events: EventBatches, call: OpenCall): EventBatches {
  return {
    async next() {
      const batch = await events.next()
      if (batch.done === true) {
        await call.end('answered')
        return batch
      }
      if (!batch.value.ok) {
        await call.failed(batch.value.failure)
        return batch
      }
      const usage = countedPieces(batch.value.value, call)
      if (usage !== undefined) await call.end('answered', { tokens: tokensOf(usage, call.reasoningTokens()) })
      return batch
    },
  }
}

/** What the provider says was used, where it says so in these events. */
function countedPieces(events: readonly ConverseEvent[], call: OpenCall): ProviderUsage | undefined {
  let usage: ProviderUsage | undefined
  for (const event of events) {
    if (event.kind === 'text') call.piece(event.text.length)
    else if (event.kind === 'toolInput') call.piece(event.json.length)
    else if (event.kind === 'reasoningText') call.reasoningPiece(event.text.length)
    else if (event.kind === 'metadata') usage ??= event.usage
  }
  return usage
}

function meteredAnswer(answer: OutgoingAnswer, call: OpenCall): OutgoingAnswer {
  return { ...answer, body: meteredBytes(answer.body, call) }
}

function meteredBytes(body: AsyncIterable<Uint8Array>, call: OpenCall): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder()
  let head = ''
  let tail = ''
  return tappedBytes(body, {
    piece(chunk) {
      call.piece(chunk.length)
      const text = decoder.decode(chunk, { stream: true })
      if (head.length < usageTailCharactersMax) head += text.slice(0, usageTailCharactersMax - head.length)
      tail = (tail + text).slice(-usageTailCharactersMax)
    },
    end(isOver) {
      const { tokens, isBroken } = passedUsage(head, tail)
      const isWhole = !isBroken && (isOver || tokens !== undefined)
      return call.end(isWhole ? 'answered' : 'failed', tokens === undefined ? {} : { tokens })
    },
  })
}
