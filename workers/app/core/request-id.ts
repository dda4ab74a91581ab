import { cutTo } from './redact.ts'

/** The caller's own request id where it is printable, so that both logs can be joined; otherwise a fresh one. */
export function requestIdOf(sent: string | null | undefined, charactersMax: number, make: () => string): string {
  return typeof sent === 'string' && /^[\x21-\x7e]+$/.test(sent) ? cutTo(sent, charactersMax).replace('…', '~') : make()
}
