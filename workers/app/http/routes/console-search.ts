import { succeed } from '#shared/kernel/result.ts'
import { eventFrame } from '#shared/sse/frame.ts'
import { type SearchEvents, streamSearch } from '../../contract/console-search.ts'
import { joinSearchRows } from '../../contract/search-rows.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import { searchItemsMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { eventStreamHeaders } from '../event-stream.ts'
import { searchOf } from './search.ts'

export function consoleSearchRoutes(deps: Pick<AppDeps, 'sites' | 'siteFleet' | 'clock'>): BoundRoute[] {
  return [
    bind(streamSearch, async ({ body }) => {
      const startedMs = deps.clock.nowMs()
      const { asked, wish } = await searchOf(deps, body)
      const encoder = new TextEncoder()
      let isLeft = false
      let itemsLeft = searchItemsMax
      async function answer(events: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
        const say = <K extends keyof SearchEvents>(name: K, data: SearchEvents[K]) =>
          events.enqueue(encoder.encode(eventFrame(name, JSON.stringify(data))))
        say('asked', { sites: asked.map(({ record }) => record.name) })
        // Each is told as it comes: a site that is slow costs the others nothing.
        await Promise.all(
          asked.map(async ({ record: { name }, target }) => {
            const found = await deps.siteFleet.search(target, { ...wish, forConsole: true })
            if (isLeft) return
            if (!found.ok) return say('failed', { site: name, reason: siteReason(found.failure) })
            const { count } = found.value
            const head = `event: found\ndata: {"site":${JSON.stringify(name)},"total":${count},"items":[`
            events.enqueue(encoder.encode(head))
            for (const part of joinSearchRows([found.value], itemsLeft)) events.enqueue(part)
            events.enqueue(encoder.encode(']}\n\n'))
            itemsLeft = Math.max(0, itemsLeft - count)
          }),
        )
        if (isLeft) return
        say('done', { duration_ms: Math.max(0, deps.clock.nowMs() - startedMs) })
        events.close()
      }
      const stream = new ReadableStream<Uint8Array>({
        start(events) {
          void answer(events).catch((cause) => {
            if (!isLeft) events.error(cause)
          })
        },
        cancel() {
          isLeft = true
        },
      })
      return succeed({ body: stream, headers: eventStreamHeaders })
    }),
  ]
}
