/** Opaque positions in lists. A cursor carries the filters it was made with, so a page cannot be continued with others. */
export interface ListPosition {
  readonly id: string
  readonly at: number
  readonly direction: 'previous' | 'next'
}

export function encodePosition(position: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(position)
  // Nearly every position is plain, and then has its bytes already.
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  return btoa(isPlain ? text : String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** The object in a cursor, or undefined for a text that is not one. */
export function decodePosition(cursor: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^[A-Za-z0-9_-]{2,4096}$/.test(cursor)) return undefined
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

/** The position fields of a decoded cursor, or undefined when one is missing or of the wrong type. */
export function readPosition(value: Readonly<Record<string, unknown>>): ListPosition | undefined {
  const { id, at, direction } = value
  if (typeof id !== 'string' || typeof at !== 'number' || !Number.isSafeInteger(at)) return undefined
  if (direction !== 'previous' && direction !== 'next') return undefined
  return { id, at, direction }
}
