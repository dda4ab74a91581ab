/** A fetch whose answers end: what a tool server sends is read by a library that would hold all of it. */

export class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong'
}

/** A message is a whole body, or one line of a stream of events. */
export function boundedFetch(bytesMax: number) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const lineEnd = isStream ? chunk.lastIndexOf(10) : -1
          bytes = lineEnd < 0 ? bytes + chunk.length : chunk.length - lineEnd
          if (bytes > bytesMax) controller.error(new MessageTooLong())
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}
