import type { z } from '@hono/zod-openapi'
import type { BoundRoute as Bound, RouteCall } from '#shared/http/bound-route.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { RouteDeclaration } from '../contract/route.ts'
import type { Failure } from '../core/failure.ts'
import type { ConnectTerminal, FileBytes } from '../ports.ts'

/** What a handler gets beside its call. */
interface More {
  /** The request asks to become a WebSocket. */
  readonly canUpgrade: boolean
}

/** A JSON text that was written when its rows were stored: sent as it is. */
export interface JsonText {
  readonly json: string
}

type Answered<A> = A extends 'none'
  ? undefined
  : A extends 'text'
    ? string
    : A extends 'bytes'
      ? FileBytes
      : A extends 'events'
        ? ReadableStream<Uint8Array>
        : A extends 'socket'
          ? ConnectTerminal
          : A extends z.ZodType
            ? { readonly value: z.input<A> } | JsonText
            : never

export type Handler<R extends RouteDeclaration> = (
  call: RouteCall<R> & More,
) => Promise<Result<Answered<R['answer']>, Failure>> | Result<Answered<R['answer']>, Failure>

export type BoundRoute = Bound<RouteDeclaration, More, unknown, Failure>

export function bind<R extends RouteDeclaration>(route: R, handle: Handler<R>): BoundRoute {
  return { route, handle: handle as unknown as BoundRoute['handle'] }
}

/** A success that leaves the writing of JSON to the caller. */
export function answerWith<T>(value: T): { readonly ok: true; readonly value: { readonly value: T } } {
  return { ok: true, value: { value } }
}

export function answerJson(json: string): { readonly ok: true; readonly value: JsonText } {
  return { ok: true, value: { json } }
}
