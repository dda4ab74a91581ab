import { cutTo } from '../core/redact.ts'
import { requestIdCharactersMax } from '../limits.ts'
import type { Identifiers } from '../ports/runtime.ts'

/** The caller's own request id where it is printable, so that both logs can be joined; otherwise a fresh one. */
export function requestIdOf(headers: Headers, identifiers: Identifiers): string {
  const sent = headers.get('x-request-id')
  return sent !== null && /^[\x21-\x7e]+$/.test(sent)
    ? cutTo(sent, requestIdCharactersMax).replace('…', '~')
    : identifiers.next()
}
