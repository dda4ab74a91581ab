import { isReasonKind } from './chinese.ts'
import { quoted } from './quote.ts'
import type { Reason } from './reason.ts'

/** As a row keeps it: JSON, empty for none. */
export function storeReason(reason: Reason | undefined): string {
  return reason === undefined ? '' : JSON.stringify(reason)
}

/** What a row keeps; a sentence that was written before reasons were facts is quoted. */
export function readReason(stored: string | null): Reason | undefined {
  if (stored === null || stored === '') return undefined
  if (stored.startsWith('{')) {
    try {
      const value: unknown = JSON.parse(stored)
      if (isReason(value)) return value
    } catch {
      // A sentence that begins like JSON.
    }
  }
  return quoted(stored)
}

/** Whether it has the shape of one: kinds are ours alone. */
export function isReason(value: unknown): value is Reason {
  return typeof value === 'object' && value !== null && 'kind' in value && isReasonKind(value.kind)
}
