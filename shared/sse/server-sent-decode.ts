import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/** One event of a server-sent stream, fields joined as the format says. */
export interface ServerSentEvent {
  readonly event: string | undefined
  readonly data: string
}

/** Cuts a server-sent stream into events. Chunks may split it anywhere, also inside a character. */
export class ServerSentDecoder {
  readonly #charactersMax: number
  readonly #decoder = new TextDecoder()
  /** What has come of the event that is not complete; joined once it is. */
  #pieces: string[] = []
  #characters = 0
  /** A carriage return at the end may be half of a line break. */
  #held = ''

  /** An event that is longer than so many characters is refused. */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  push(chunk: Uint8Array): Result<readonly ServerSentEvent[], 'too_large'> {
    const text = this.#held + this.#decoder.decode(chunk, { stream: true })
    this.#held = text.endsWith('\r') ? '\r' : ''
    const piece = text.slice(0, text.length - this.#held.length).replace(/\r\n?/g, '\n')
    const isEnd = `${this.#pieces.at(-1)?.at(-1) ?? ''}${piece}`.includes('\n\n')
    if (piece !== '') this.#pieces.push(piece)
    this.#characters += piece.length
    if (!isEnd) return this.#characters > this.#charactersMax ? failWith('too_large') : succeed([])
    const lines = this.#pieces.join('')
    const end = lines.lastIndexOf('\n\n')
    const rest = lines.slice(end + 2)
    this.#pieces = rest === '' ? [] : [rest]
    this.#characters = rest.length
    return succeed(lines.slice(0, end).split(/\n\n+/).flatMap(readBlock))
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
