import { DurableObject } from 'cloudflare:workers'
import { durableSql } from '#shared/sql/durable-sql.ts'
import { RouteRows } from '../adapters/route-rows.ts'

/** The one place of the owner's routes, whichever isolate reads or changes them. */
export class GatewayRoutesObject extends DurableObject<Cloudflare.Env> {
  readonly #rows = new RouteRows(durableSql(this.ctx.storage))

  routes(known: number | undefined) {
    return this.#rows.routes(known)
  }

  change(name: string, text: string | undefined, seen: number | undefined, ms: number) {
    return this.#rows.change(name, text, seen, ms)
  }

  changes(limit: number) {
    return this.#rows.changes(limit)
  }
}
