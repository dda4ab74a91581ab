import { readBytes } from '#shared/http/strict-json-body.ts'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { requestBodyMs } from '../limits.ts'
import type { BodySource, ClientEnd, Timers } from '../ports.ts'

/** The client's end as every web-standard runtime shows it. */
export function requestClientEnd(request: Request, timers: Timers, openSocket?: ClientEnd['upgrade']): ClientEnd {
  return {
    // The platform sets it, and on one's own machine the host does; neither leaves what a client says of itself.
    address: request.headers.get('cf-connecting-ip') ?? undefined,
    async readBody(bytesMax) {
      const late = Promise.withResolvers<Result<never, 'slow'>>()
      const stop = timers.every(requestBodyMs, () => late.resolve(failWith('slow')))
      try {
        return await Promise.race([readBytes(request.body, bytesMax, 'left'), late.promise])
      } catch {
        return failWith('cut')
      } finally {
        stop()
      }
    },
    onLeave(leave) {
      if (request.signal.aborted) leave()
      else request.signal.addEventListener('abort', leave, { once: true })
    },
    ...(openSocket === undefined ? {} : { upgrade: openSocket }),
    answer(body, status, headers) {
      const content = body === null || typeof body === 'string' ? body : streamOf(body)
      return new Response(content, { status, headers })
    },
  }
}

const encoder = new TextEncoder()

function streamOf(source: BodySource): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      source.start({
        enqueue: (piece) => controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece),
        close: () => controller.close(),
        hasRoom: () => controller.desiredSize !== 0,
      })
    },
    pull: () => source.pull(),
    cancel: () => source.cancel(),
  })
}
