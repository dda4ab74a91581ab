/** A number above nothing; null for an empty field, undefined for what is none. */
export function numberIn(text: string, isWhole: boolean): number | null | undefined {
  const plain = text.replaceAll(',', '').trim()
  if (plain === '') return null
  const value = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  return value > 0 && (!isWhole || Number.isInteger(value)) ? value : undefined
}
