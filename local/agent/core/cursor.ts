/** `<sessionID>:<sequence>`, the cursor of a session's event stream. It is only good for the session that minted it. */
export function formatEventCursor(sessionId: string, seq: number): string {
  return `${sessionId}:${seq}`
}

/** The sequence number in a cursor of this session; undefined for anything else, other spellings of a number included. */
export function parseEventCursor(cursor: string, sessionId: string): number | undefined {
  const prefix = `${sessionId}:`
  if (!cursor.startsWith(prefix)) return undefined
  return parseSeq(cursor.slice(prefix.length))
}

/** A non-negative whole number without sign, leading zero or exponent. */
export function parseSeq(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) return undefined
  return Number(text)
}
