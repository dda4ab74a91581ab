import { Hono } from 'hono/tiny'
import { queuedBytesMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'

export function eventRoutes(deps: Pick<ViewerDeps, 'events'>): Hono {
  const router = new Hono()
  router.get('/api/events', (c) => {
    const headers = {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      // The connection ends with the stream, so that a stopping server does not wait for it.
      Connection: 'close',
    }
    if (c.req.method === 'HEAD') return new Response(null, { headers })
    const encoder = new TextEncoder()
    let subscription: { close(): void } | undefined
    let isEnded = false
    const stream = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const end = (): void => {
            if (isEnded) return
            isEnded = true
            subscription?.close()
            controller.close()
          }
          subscription = deps.events.subscribe((frame) => {
            if (isEnded) return
            const waiting = -(controller.desiredSize ?? 0)
            // A slow tab is let go and comes back by itself.
            if (waiting > queuedBytesMax) end()
            else controller.enqueue(encoder.encode(frame))
          }, end)
        },
        cancel() {
          isEnded = true
          subscription?.close()
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    )
    return new Response(stream, { headers })
  })
  return router
}
