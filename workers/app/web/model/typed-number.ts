/** The most that is typed of a whole number up to `max`. */
export function digitsOf(max: number): number {
  return String(max).length
}

/** A number above nothing; null for an empty field, undefined for what is none. */
export function numberIn(text: string, isWhole: boolean): number | null | undefined {
  const plain = text.replaceAll(',', '').trim()
  if (plain === '') return null
  const value = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  return value > 0 && (!isWhole || Number.isInteger(value)) ? value : undefined
}
