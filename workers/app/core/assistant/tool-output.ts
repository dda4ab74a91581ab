/** A tool's result as the model reads it: within its bound, and still JSON when something was left out. */
const encoder = new TextEncoder()

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength
}

/** The beginning of a text that has at most so many bytes, without half a character. */
export function cutToBytes(text: string, bytesMax: number): string {
  const bytes = encoder.encode(text)
  if (bytes.byteLength <= bytesMax) return text
  return new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true })
}

/** Lists are shortened from their end, and say how much of them is there. */
export function writeToolOutput(value: unknown, bytesMax: number): string {
  const whole = JSON.stringify(value)
  if (byteLength(whole) <= bytesMax) return whole
  if (hasItems(value)) {
    let low = 0
    let high = value.items.length
    // The longest beginning that fits.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (byteLength(withItems(value, middle)) <= bytesMax) low = middle
      else high = middle - 1
    }
    const shortened = withItems(value, low)
    if (byteLength(shortened) <= bytesMax) return shortened
  }
  const mark = '…（已截断）'
  return `${cutToBytes(whole, bytesMax - byteLength(mark))}${mark}`
}

function hasItems(value: unknown): value is { readonly items: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)
}

function withItems(value: { readonly items: readonly unknown[] }, count: number): string {
  return JSON.stringify({ ...value, items: value.items.slice(0, count), items_shown: count, items_cut: true })
}
