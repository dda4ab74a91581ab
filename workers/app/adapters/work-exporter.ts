import type { Clock } from '#shared/kernel/clock.ts'
import { OtlpExporter, type TelemetryTarget } from '#shared/telemetry/otlp-exporter.ts'
import { metricsBody, tracesBody } from '#shared/telemetry/otlp-json.ts'
import { readTelemetryHeaders } from '#shared/telemetry/telemetry-headers.ts'
import { readTraceParent } from '#shared/telemetry/trace-context.ts'
import { toHex } from '../core/bytes.ts'
import { type TracedWork, workMetrics, workSpan } from '../core/telemetry/work-telemetry.ts'
import { telemetryAnswerMs, telemetryBatchMs, telemetryWaitingMax } from '../limits.ts'
import type { Background, Logger, Telemetry } from '../ports/runtime.ts'

export interface TelemetrySettings extends TelemetryTarget {
  readonly serviceName: string
}

/** What the owner set of a collector, as text. */
export interface TelemetryTexts {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string
  readonly OTEL_SERVICE_NAME?: string
}

/** `off`: there is no collector; `unreadable`: a setting cannot be read, and nothing is sent. */
export function telemetrySettings(texts: TelemetryTexts): TelemetrySettings | 'off' | 'unreadable' {
  const address = texts.OTEL_EXPORTER_OTLP_ENDPOINT?.trim().replace(/\/+$/, '') ?? ''
  if (address === '') return 'off'
  const headers = readTelemetryHeaders(texts.OTEL_EXPORTER_OTLP_HEADERS)
  const url = URL.parse(address)
  if (headers === undefined || url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    return 'unreadable'
  return { address, headers, serviceName: texts.OTEL_SERVICE_NAME?.trim() || 'wharf' }
}

interface ExporterParts {
  readonly settings: TelemetrySettings
  readonly clock: Clock
  readonly logger: Logger
  readonly background: Background
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<void>
}

/** Tells a collector of the service's own requests and jobs. */
export function workExporter({ settings, clock, logger, background, fetch, wait }: ExporterParts): Telemetry {
  const source = { service: settings.serviceName, instance: randomHex(8), scope: 'wharf.app' }
  const exporter = new OtlpExporter<TracedWork>({
    target: settings,
    bounds: { batchMs: telemetryBatchMs, waitingMax: telemetryWaitingMax, answerMs: telemetryAnswerMs },
    traces: (ended) => tracesBody(ended.map(workSpan), source),
    metrics: (ended, sinceMs, nowMs) => metricsBody(workMetrics(ended), source, sinceMs, nowMs),
    clock,
    async post({ url, ...request }) {
      const answer = await fetch(url, { method: 'POST', redirect: 'manual', ...request })
      // Nothing of it is read, and its connection serves again.
      await answer.body?.cancel()
      return answer.status
    },
    sleep: wait,
    keepAlive: (work) => background.run(work),
    onLost: (count) => logger.error('telemetry_lost', { count }),
    // What a client of the network says of a failure may name the address, and with it a key.
    onRefused: (path, why) =>
      logger.error('telemetry_refused', { path, ...('status' in why ? why : { cause: 'no answer' }) }),
  })
  return {
    ended(work, traceparent) {
      const parent = readTraceParent(traceparent ?? undefined)
      const traceId = parent?.traceId ?? randomHex(16)
      exporter.add({ ...work, traceId, spanId: randomHex(8), parentSpanId: parent?.spanId })
    },
  }
}

function randomHex(bytes: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)))
}
