const wholeDecoder = new TextDecoder()

/** Reads a whole body as text; undefined when it is longer than the bound, and then no more of it is read. */
export async function collectText(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  const [only] = chunks
  // Most answers come in one piece, for which a decoder of its own would cost more than the text.
  if (chunks.length === 1 && only !== undefined) return wholeDecoder.decode(only)
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}
