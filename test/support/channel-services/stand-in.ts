/**
 * What a stand-in of a service is: what it takes, what it refuses, and how it answers. Each names its source and version in
 * its own file.
 */
import type { ChannelFault } from '../../../workers/app/core/channel-fault.ts'

export interface StandInRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** In small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

interface StandInAnswer {
  readonly status: number
  readonly body: string
}

type Values = Readonly<Record<string, string>>

export interface StandInService {
  readonly type: string
  /** Where the real one is. */
  readonly origin: string
  /** Takes the message; the address is that of the origin. */
  readonly values: Values
  /** What it refuses, by what is another value, and what that means. */
  readonly refusals: readonly (readonly [what: string, values: Values, fault: ChannelFault])[]
  /** What it answers when too much was sent, where it counts. */
  readonly limited?: StandInAnswer
  /** A body with a text that is longer than the service takes, where it has a bound. */
  readonly lengthen?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  readonly answer: (request: StandInRequest, nowUnix: number) => StandInAnswer | Promise<StandInAnswer>
}

export function json(status: number, value: unknown): StandInAnswer {
  return { status, body: JSON.stringify(value) }
}

/** Undefined where it is no JSON object, or not said to be. */
export function bodyOf({ method, headers, body }: StandInRequest): Readonly<Record<string, unknown>> | undefined {
  if (method !== 'POST' || !/^application\/json\b/.test(headers['content-type'] ?? '')) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength
