import type { Clock } from '#shared/kernel/clock.ts'
import { parseJson } from '#shared/kernel/json-record.ts'
import { type ModelRoute, routeOf } from '../core/providers/model-route.ts'
import { redactedCause } from '../core/redaction.ts'
import { routesFreshMs, startUpCallTimeoutMs } from '../limits.ts'
import type { KeptRoute, Log, RouteBook, RouteStore } from '../ports.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

interface LiveParts {
  /** Of the settings: nobody changes them, and they go first. */
  readonly owned: ReadonlyMap<string, ModelRoute>
  readonly store: RouteStore
  readonly clock: Clock
  readonly keepAlive: KeepAlive
  readonly log: Log
}

/** Routes of the settings, and those that are kept as they were at most a second ago. */
export function liveRoutes({ owned, store, clock, keepAlive, log }: LiveParts): RouteBook {
  let revision: number | undefined
  let kept: ReadonlyMap<string, KeptRoute> = new Map()
  let routes = owned
  let readMs = Number.NEGATIVE_INFINITY
  const reading = new SharedReading(read, keepAlive, clock, startUpCallTimeoutMs)

  async function read(): Promise<void> {
    try {
      const found = await store.routes(revision)
      readMs = clock.nowMs()
      if (found === undefined) return
      revision = found.revision
      kept = new Map(found.routes.filter(({ name }) => !owned.has(name)).map((one) => [one.name, one]))
      const read = [...kept.values()].map(({ name, text }) => [name, routeOf(name, parseJson(text))] as const)
      routes = new Map([
        ...owned,
        ...read.flatMap(([name, route]) => (route === undefined ? [] : [[name, route] as const])),
      ])
    } catch (cause) {
      // What is known stays good; the next request tries again.
      log({ level: 'warn', event: 'routes-unreadable', cause: redactedCause(cause) })
    }
  }

  return {
    get routes() {
      return routes
    },
    revisionOf: (name) => (owned.has(name) ? undefined : (kept.get(name)?.revision ?? 0)),
    freshen: () => (clock.nowMs() - readMs < routesFreshMs ? undefined : reading.start()),
    outdate() {
      readMs = Number.NEGATIVE_INFINITY
    },
  }
}
