/** Server-sent events as text that comes in pieces. Pure. */
/** What the data of a frame is. */
export interface StreamEvent {
  readonly id: string
  readonly type: string
  readonly durable?: { readonly aggregateID: string; readonly seq: number }
  readonly data: Readonly<Record<string, unknown>>
}

interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** Takes pieces and answers the frames that are whole by then; comments, which keep a connection alive, are dropped. */
export function createFrameReader(): (piece: string) => Frame[] {
  let rest = ''
  return (piece) => {
    const parts = (rest + piece).split('\n\n')
    rest = parts.pop() ?? ''
    return parts.flatMap((part) => {
      const fields = new Map<string, string>()
      for (const line of part.split('\n')) {
        const colon = line.indexOf(':')
        if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
      }
      const data = fields.get('data')
      return data === undefined ? [] : [{ id: fields.get('id'), data }]
    })
  }
}
