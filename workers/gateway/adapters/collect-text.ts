/** Reads a whole body as text; undefined when it is longer than the bound, and then no more of it is read. */
export async function collectText(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
