/** How an operation is shown in the document: a call, and what comes of it. Only the document is built from these. */
import type { z } from '@hono/zod-openapi'
import type { RouteDeclaration } from '../route.ts'

type Shown<S> = S extends z.ZodType ? z.input<S> : never

/** What the declaration takes and answers, so that an example of another shape is no valid program. */
export type Example<R extends RouteDeclaration> = {
  readonly params?: Shown<R['params']>
  readonly query?: Shown<R['query']>
  readonly body?: Shown<R['body']>
  /** By status; pictures and files have none. */
  readonly answers: { readonly [S in keyof R['answers']]?: Shown<R['answers'][S]> }
}

export interface ShownOperation {
  readonly operationId: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answers: Readonly<Record<string, unknown>>
}

export function showOperation<R extends RouteDeclaration>(route: R, example: Example<R>): ShownOperation {
  return { operationId: route.operationId, ...example } as unknown as ShownOperation
}
