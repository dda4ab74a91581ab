/**
 * Compares two byte strings without stopping at the first difference. Callers compare digests of equal
 * length; for other lengths only the fact that they differ can be observed.
 */
export function constantTimeEqual(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
  return difference === 0
}

/** The same for texts, such as digests in hexadecimal digits. */
export function constantTimeEqualTexts(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
