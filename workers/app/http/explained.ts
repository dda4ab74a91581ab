import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'

/** A reason as answers have it: the sentence that is documented, and the facts that scripts and pages go by. */
export function explained(say: Say, reason: Reason): { readonly error: string; readonly reason: Reason } {
  return { error: say(reason), reason }
}
