import { redact } from '../redact.ts'
import type { ReasonOf } from './reason.ts'

/** Somebody else's words pass the redactor when they become part of a reason, and not only when it leaves. */
export function quoted(words: string): ReasonOf<'quoted'> {
  return { kind: 'quoted', words: redact(words) }
}
