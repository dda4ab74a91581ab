/** The caller's own request id where it is printable, so that both logs can be joined; otherwise a fresh one. */
export function requestIdOf(sent: string | null | undefined, charactersMax: number, make: () => string): string {
  if (typeof sent !== 'string' || !/^[\x21-\x7e]+$/.test(sent)) return make()
  return sent.length <= charactersMax ? sent : `${sent.slice(0, charactersMax - 1)}~`
}
