/** A JSON object whose members are not known yet. */
export type JsonRecord = { readonly [member: string]: unknown }

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function recordOf(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What a table holds under a word that somebody else chose; the names every object has by birth are not in it. */
export function entryOf<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** Parses JSON that an outside party sent; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
