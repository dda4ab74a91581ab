import type { Clock } from '../kernel/clock.ts'
import type { JsonRecord } from '../kernel/json-record.ts'

/** Where a collector takes `/v1/traces` and `/v1/metrics`, and the headers it wants. */
export interface TelemetryTarget {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

interface TelemetryPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface ExporterParts<Ended> {
  readonly target: TelemetryTarget
  readonly bounds: {
    /** What has ended is told together, after this time. */
    readonly batchMs: number
    /** So much waits to be told; what comes after it is lost. */
    readonly waitingMax: number
    /** The collector has this long to take it. */
    readonly answerMs: number
  }
  readonly traces: (ended: readonly Ended[]) => JsonRecord
  readonly metrics: (ended: readonly Ended[], sinceMs: number, nowMs: number) => JsonRecord
  readonly clock: Clock
  /** The status of the answer, which is read to its end. */
  readonly post: (post: TelemetryPost) => Promise<number>
  readonly sleep: (ms: number) => Promise<void>
  readonly keepAlive: (work: Promise<void>) => void
  readonly onLost: (count: number) => void
  readonly onRefused: (path: string, why: { readonly status: number } | { readonly cause: unknown }) => void
}

/** Tells a collector what has ended, some together. What it does not take is lost: nothing waits for it. */
export class OtlpExporter<Ended> {
  readonly #parts: ExporterParts<Ended>
  #waiting: Ended[] = []
  #lost = 0
  #isDue = false
  #sinceMs: number

  constructor(parts: ExporterParts<Ended>) {
    this.#parts = parts
    this.#sinceMs = parts.clock.nowMs()
  }

  add(ended: Ended): void {
    const { bounds, keepAlive, sleep } = this.#parts
    if (this.#waiting.length >= bounds.waitingMax) {
      this.#lost += 1
      return
    }
    this.#waiting.push(ended)
    if (this.#isDue) return
    this.#isDue = true
    keepAlive(sleep(bounds.batchMs).then(() => this.send()))
  }

  /** Tells what waits, now. */
  async send(): Promise<void> {
    this.#isDue = false
    if (this.#waiting.length === 0) return
    const { traces, metrics, onLost, clock } = this.#parts
    const [ended, lost, sinceMs, nowMs] = [this.#waiting, this.#lost, this.#sinceMs, clock.nowMs()]
    this.#waiting = []
    this.#lost = 0
    this.#sinceMs = nowMs
    if (lost > 0) onLost(lost)
    await Promise.all([
      this.#post('/v1/traces', traces(ended)),
      this.#post('/v1/metrics', metrics(ended, sinceMs, nowMs)),
    ])
  }

  async #post(path: string, body: JsonRecord): Promise<void> {
    const { target, bounds, post, onRefused } = this.#parts
    try {
      const status = await post({
        url: target.address + path,
        headers: { 'content-type': 'application/json', ...target.headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(bounds.answerMs),
      })
      if (status >= 300) onRefused(path, { status })
    } catch (cause) {
      onRefused(path, { cause })
    }
  }
}
