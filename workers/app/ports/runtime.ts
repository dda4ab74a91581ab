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

/** Work that outlives the answer. The runtime waits for it. */
export interface Background {
  run(work: Promise<unknown>): void
}
