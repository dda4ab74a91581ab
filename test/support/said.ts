import { inChinese } from '../../workers/app/core/reason/chinese.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'

/** The sentence of a reason that has to be there. */
export function said(reason: Reason | undefined): string {
  if (reason === undefined) throw new Error('there is no reason')
  return inChinese(reason)
}

export function saying(words: string): Reason {
  return { kind: 'quoted', words }
}

/** A reason as answers have it, under the name that the answer has for its sentence. */
export function withReason<Name extends 'error' | 'message' | 'last_error'>(name: Name, reason: Reason) {
  return { [name]: inChinese(reason), reason } as { [N in Name]: string } & { reason: Reason }
}
