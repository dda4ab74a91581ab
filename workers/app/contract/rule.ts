import type { Reason } from '../core/reason/reason.ts'

/** What a refinement of a schema asks for, as callers are told it. */
export function ask(rule: Reason): { readonly params: { readonly rule: Reason } } {
  return { params: { rule } }
}
