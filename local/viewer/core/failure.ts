import type { Result } from '#shared/kernel/result.ts'

const failureCodes = ['bad-request', 'refused', 'not-found', 'no-index', 'index-unusable', 'internal'] as const
export type FailureCode = (typeof failureCodes)[number]

export interface ViewerFailure {
  readonly code: FailureCode
  readonly message: string
  readonly hint?: string
}

export type Answer<T> = Result<T, ViewerFailure>

export function badRequest(message: string, hint?: string): { readonly ok: false; readonly failure: ViewerFailure } {
  return { ok: false, failure: { code: 'bad-request', message, ...(hint === undefined ? {} : { hint }) } }
}

export function notFound(message: string, hint?: string): { readonly ok: false; readonly failure: ViewerFailure } {
  return { ok: false, failure: { code: 'not-found', message, ...(hint === undefined ? {} : { hint }) } }
}

export function refused(message: string, hint?: string): { readonly ok: false; readonly failure: ViewerFailure } {
  return { ok: false, failure: { code: 'refused', message, ...(hint === undefined ? {} : { hint }) } }
}
