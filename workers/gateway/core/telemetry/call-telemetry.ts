import {
  type Attributes,
  type EndedSpan,
  type Observed,
  type ObservedMetric,
  spanKinds,
} from '#shared/telemetry/otlp-json.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'
import type { CallRecord } from '../keys/call-record.ts'

/** A call of a model that has ended, and its place in a trace. */
export interface EndedCall extends TraceParent {
  readonly call: CallRecord
  readonly parentSpanId: string | undefined
}

/** What the conventions call each provider. */
export type ProviderNames = ReadonlyMap<string, string>

/** Upper ends of classes that the conventions recommend. */
const tokenBounds = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
]
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** By the conventions for clients of models. */
export function callSpan({ call, ...place }: EndedCall, names: ProviderNames): EndedSpan {
  return {
    ...place,
    name: `${operationOf(call)} ${call.model}`,
    kind: spanKinds.client,
    startMs: call.atMs,
    tookMs: call.tookMs,
    attributes: {
      ...sharedAttributes(call, names),
      'gen_ai.usage.input_tokens': inputTokens(call),
      'gen_ai.usage.output_tokens': call.tokens.output,
      'gen_ai.usage.cache_read.input_tokens': call.tokens.cacheRead,
      'gen_ai.usage.cache_creation.input_tokens': call.tokens.cacheWrite,
      'wharf.request.id': call.requestId,
    },
    error: errorOf(call),
  }
}

/** What these calls took. */
export function callMetrics(ended: readonly EndedCall[], names: ProviderNames): readonly ObservedMetric[] {
  const calls = ended.map(({ call }) => call)
  const tokens = calls.flatMap((call): readonly Observed[] => {
    const { 'error.type': _, ...shared } = sharedAttributes(call, names)
    const of = (type: string, value: number) => ({ attributes: { ...shared, 'gen_ai.token.type': type }, value })
    return call.outcome === 'refused' ? [] : [of('input', inputTokens(call)), of('output', call.tokens.output)]
  })
  const times = calls.map((call) => ({ attributes: sharedAttributes(call, names), value: call.tookMs / 1_000 }))
  return [
    { name: 'gen_ai.client.token.usage', unit: '{token}', bounds: tokenBounds, observed: tokens },
    { name: 'gen_ai.client.operation.duration', unit: 's', bounds: secondBounds, observed: times },
  ]
}

function sharedAttributes(call: CallRecord, names: ProviderNames): Attributes {
  return {
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': names.get(call.provider) ?? call.provider,
    'gen_ai.request.model': call.model,
    'error.type': errorOf(call),
  }
}

function operationOf({ route }: CallRecord): string {
  if (route === '/embeddings') return 'embeddings'
  return route === '/completions' ? 'text_completion' : 'chat'
}

/** A client that left is no error of the call. */
function errorOf({ outcome, code }: CallRecord): string | undefined {
  return outcome === 'failed' || outcome === 'refused' ? (code ?? outcome) : undefined
}

/** Reads and writes of a cache are input too, where the conventions count it. */
function inputTokens({ tokens }: CallRecord): number {
  return tokens.input + tokens.cacheRead + tokens.cacheWrite
}
