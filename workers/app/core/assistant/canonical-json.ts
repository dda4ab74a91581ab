/** The same text for the same value, whatever the order of its fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  // Without a prototype: a field may be called `__proto__`.
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, inner] of Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    copy[name] = sorted(inner)
  return copy
}
