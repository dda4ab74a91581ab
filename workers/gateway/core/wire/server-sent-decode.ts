/** One event of a server-sent stream, fields joined as the format says. */
export interface ServerSentEvent {
  readonly event: string | undefined
  readonly data: string
}

/** Cuts a server-sent stream into events. Chunks may split it anywhere, also inside a character. */
export class ServerSentDecoder {
  readonly #decoder = new TextDecoder()
  #rest = ''

  push(chunk: Uint8Array): readonly ServerSentEvent[] {
    this.#rest += this.#decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be half of a line break.
    const held = this.#rest.endsWith('\r') ? 1 : 0
    const lines = this.#rest.slice(0, this.#rest.length - held).replace(/\r\n?/g, '\n')
    const end = lines.lastIndexOf('\n\n')
    if (end < 0) {
      this.#rest = lines + (held === 1 ? '\r' : '')
      return []
    }
    this.#rest = lines.slice(end + 2) + (held === 1 ? '\r' : '')
    return lines.slice(0, end).split(/\n\n+/).flatMap(readBlock)
  }
}

function readBlock(block: string): readonly ServerSentEvent[] {
  let event: string | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
}
