import type { Clock } from '#shared/kernel/clock.ts'
import type { CallRecord } from '../core/keys/call-record.ts'
import { redactedCause } from '../core/redaction.ts'
import { type CallSpan, metricsBody, type TelemetrySource, tracesBody } from '../core/telemetry/otlp-bodies.ts'
import type { TraceParent } from '../core/telemetry/trace-context.ts'
import { telemetryAnswerMs, telemetryBatchMs, telemetryWaitingMax } from '../limits.ts'
import type { Log, Outgoing, Random, Timers } from '../ports.ts'
import type { TelemetrySettings } from '../settings.ts'
import type { KeepAlive } from './shared-reading.ts'

interface ExporterParts {
  readonly settings: TelemetrySettings
  readonly providerNames: ReadonlyMap<string, string>
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly keepAlive: KeepAlive
  readonly log: Log
}

/** Sends what calls took to a collector, some together. What it does not take is lost: no answer waits for it. */
export class OtlpExporter {
  readonly #parts: ExporterParts
  readonly #source: TelemetrySource
  #waiting: CallSpan[] = []
  #lost = 0
  #isDue = false
  #sinceMs: number

  constructor(parts: ExporterParts) {
    this.#parts = parts
    const { settings, providerNames, random, clock } = parts
    this.#source = { service: settings.serviceName, instance: random.hex(8), providerNames }
    this.#sinceMs = clock.nowMs()
  }

  ended(call: CallRecord, parent: TraceParent | undefined): void {
    if (call.model === '') return
    if (this.#waiting.length >= telemetryWaitingMax) {
      this.#lost += 1
      return
    }
    const { random, keepAlive, timers } = this.#parts
    const traceId = parent?.traceId ?? random.hex(16)
    this.#waiting.push({ call, traceId, spanId: random.hex(8), parentSpanId: parent?.spanId })
    if (this.#isDue) return
    this.#isDue = true
    keepAlive(timers.sleep(telemetryBatchMs, new AbortController().signal).then(() => this.send()))
  }

  /** Tells what waits, now. */
  async send(): Promise<void> {
    this.#isDue = false
    if (this.#waiting.length === 0) return
    const [spans, lost, sinceMs, nowMs] = [this.#waiting, this.#lost, this.#sinceMs, this.#parts.clock.nowMs()]
    this.#waiting = []
    this.#lost = 0
    this.#sinceMs = nowMs
    if (lost > 0) this.#parts.log({ level: 'warn', event: 'telemetry-lost', calls: lost })
    await Promise.all([
      this.#post('/v1/traces', tracesBody(spans, this.#source)),
      this.#post('/v1/metrics', metricsBody(spans, this.#source, sinceMs, nowMs)),
    ])
  }

  async #post(path: string, body: unknown): Promise<void> {
    const { settings, outgoing, log } = this.#parts
    try {
      const answer = await outgoing({
        method: 'POST',
        url: settings.address + path,
        headers: { 'content-type': 'application/json', ...settings.headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(telemetryAnswerMs),
      })
      // Read to its end, so that the connection serves again.
      for await (const _ of answer.body);
      if (answer.status >= 300) log({ level: 'warn', event: 'telemetry-refused', path, status: answer.status })
    } catch (cause) {
      log({ level: 'warn', event: 'telemetry-refused', path, cause: redactedCause(cause) })
    }
  }
}
