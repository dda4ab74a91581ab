/** The client of a refused request may pause for so long while the rest of its body is taken, and send for so long in all. */
const pauseMsMax = 2_000
const sendingMsMax = 60_000

/**
 * The runtime closes a connection on which a body still comes once it has answered, and the client loses the answer with
 * it. So a refusal is sent at once and whole, but ends only when the body has come to its end and was thrown away.
 */
export async function answerToSender(request: Request, response: Response): Promise<Response> {
  const { body } = request
  if (body === null || body.locked || response.status < 400) return response
  const answer = await response.bytes()
  const { readable, writable } = new FixedLengthStream(answer.length)
  // Fails when the client leaves, and then there is nobody to tell.
  writeAround(answer, writable.getWriter(), body).catch(() => undefined)
  return new Response(readable, response)
}

async function writeAround(
  answer: Uint8Array,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  await writer.write(answer)
  await throwAway(body).catch(() => undefined)
  await writer.close()
}

async function throwAway(body: ReadableStream<Uint8Array>): Promise<void> {
  const stop = new AbortController()
  const pause = () => setTimeout(() => stop.abort(), pauseMsMax)
  let pausing = pause()
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(sendingMsMax)])
  const nowhere = new WritableStream({
    write() {
      clearTimeout(pausing)
      pausing = pause()
    },
  })
  await body.pipeTo(nowhere, { signal }).finally(() => clearTimeout(pausing))
}
