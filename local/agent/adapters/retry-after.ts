/** Milliseconds to wait by a `Retry-After` header, which holds seconds or a moment; undefined when it says neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const momentMs = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(momentMs) ? undefined : Math.max(0, momentMs - nowMs)
}
