import type { Clock } from '#shared/kernel/clock.ts'
import { OtlpExporter } from '#shared/telemetry/otlp-exporter.ts'
import { metricsBody, tracesBody } from '#shared/telemetry/otlp-json.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'
import { Canceller } from '../core/cancellation.ts'
import type { CallRecord } from '../core/keys/call-record.ts'
import { redactedCause } from '../core/redaction.ts'
import { callMetrics, callSpan, type EndedCall, type ProviderNames } from '../core/telemetry/call-telemetry.ts'
import { telemetryAnswerMs, telemetryBatchMs, telemetryWaitingMax } from '../limits.ts'
import type { Log, Outgoing, Random, Timers } from '../ports.ts'
import type { TelemetrySettings } from '../settings.ts'
import type { KeepAlive } from './shared-reading.ts'

interface CallExporterParts {
  readonly settings: TelemetrySettings
  readonly providerNames: ProviderNames
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly keepAlive: KeepAlive
  readonly log: Log
}

export interface CallExporter {
  ended(call: CallRecord, parent: TraceParent | undefined): void
  /** Tells what waits, now. */
  send(): Promise<void>
}

/** Tells a collector what calls took. */
export function callExporter(parts: CallExporterParts): CallExporter {
  const { settings, providerNames, outgoing, clock, random, timers, keepAlive, log } = parts
  const source = { service: settings.serviceName, instance: random.hex(8), scope: 'wharf.gateway' }
  const exporter = new OtlpExporter<EndedCall>({
    target: settings,
    bounds: { batchMs: telemetryBatchMs, waitingMax: telemetryWaitingMax, answerMs: telemetryAnswerMs },
    traces: (ended) =>
      tracesBody(
        ended.map((one) => callSpan(one, providerNames)),
        source,
      ),
    metrics: (ended, sinceMs, nowMs) => metricsBody(callMetrics(ended, providerNames), source, sinceMs, nowMs),
    clock,
    async post(request) {
      const answer = await outgoing({ method: 'POST', ...request })
      // Read to its end, so that the connection serves again.
      for await (const _ of answer.body);
      return answer.status
    },
    sleep: (ms) => timers.sleep(ms, new Canceller()),
    keepAlive,
    onLost: (calls) => log({ level: 'warn', event: 'telemetry-lost', calls }),
    onRefused(path, why) {
      const told = 'cause' in why ? { cause: redactedCause(why.cause) } : why
      log({ level: 'warn', event: 'telemetry-refused', path, ...told })
    },
  })
  return {
    ended(call, parent) {
      if (call.model === '') return
      const traceId = parent?.traceId ?? random.hex(16)
      exporter.add({ call, traceId, spanId: random.hex(8), parentSpanId: parent?.spanId })
    },
    send: () => exporter.send(),
  }
}
