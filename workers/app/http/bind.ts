import type { z } from '@hono/zod-openapi'
import type { BoundRoute as Bound, RouteCall } from '#shared/http/bound-route.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { RouteDeclaration } from '../contract/route.ts'
import type { SaidAbout } from '../core/audit-about.ts'
import type { Failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'

type Answers<R extends RouteDeclaration> = R['answers'][keyof R['answers']]

/** What a handler gets beside its call: who calls, and from where. */
interface More {
  readonly principal: Principal
  readonly requestId: string
  /** Of the request, as its caller sees it. */
  readonly url: string
  /** Under which the caller's browser has the console open. */
  readonly origin: string
  /** Reasons in the language that the caller prefers. */
  readonly say: Say
}

/** A body that was written already, by who knew its parts: texts, and bytes of such, one after another. */
export class FinishedJson {
  readonly #parts: readonly (string | Uint8Array)[]

  constructor(parts: readonly (string | Uint8Array)[]) {
    this.#parts = parts
  }

  /** Part by part, as they are: a blob of them would copy each and be read in small pieces. */
  stream(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder()
    const left = this.#parts.values()
    return new ReadableStream<Uint8Array>(
      {
        pull(reader) {
          const { done, value } = left.next()
          if (done === true) reader.close()
          else reader.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/** A successful answer. Without a status it is the first one the route declares. */
export interface Reply<R extends RouteDeclaration> {
  readonly body: Answers<R> extends z.ZodType
    ? z.input<Answers<R>> | FinishedJson
    : Answers<R> extends 'file'
      ? ReadableStream
      : Uint8Array | null
  readonly status?: keyof R['answers'] & number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** What the audit log records when a call that answers 200 did not do what was asked, as `error:<what>`. */
  readonly auditResult?: `error:${string}`
  /** What the audit log keeps beside that: why, or what came of it. */
  readonly auditReason?: Reason
  /** What it was done to, and what was done where the route does not say it. By itself the name or title of the answer. */
  readonly audited?: SaidAbout
}

export type Handler<R extends RouteDeclaration> = (call: RouteCall<R> & More) => Promise<Result<Reply<R>, Failure>>

export type BoundRoute = Bound<RouteDeclaration, More, Reply<RouteDeclaration>, Failure>

export function bind<R extends RouteDeclaration>(route: R, handle: Handler<R>): BoundRoute {
  return { route, handle: handle as unknown as BoundRoute['handle'] }
}
