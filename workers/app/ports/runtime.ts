import type { EndedWork } from '../core/telemetry/work-telemetry.ts'

/** New identifiers and secrets. */
export interface Identifiers {
  /** A short random name for a row or a request. */
  next(): string
  /** 32 random bytes as base64url text. */
  secret(): string
}

/** One line for each fact. Values are redacted before they are written. */
export interface Logger {
  info(event: string, facts?: Readonly<Record<string, unknown>>): void
  error(event: string, facts?: Readonly<Record<string, unknown>>): void
}

/** Tells the owner's collector of work that has ended. `traceparent` is the header of a caller with a trace of its own. */
export interface Telemetry {
  ended(work: EndedWork, traceparent?: string | null): void
}

/** Work that outlives the answer. The runtime waits for it. */
export interface Background {
  run(work: Promise<unknown>): void
}
