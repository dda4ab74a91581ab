import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { routesMax } from '../core/providers/model-route.ts'
import { routeChangesKeptMax } from '../limits.ts'
import type { KeptRoute, RouteChange, RouteStore } from '../ports.ts'

const steps: readonly (readonly string[])[] = [
  [
    'CREATE TABLE route (name TEXT PRIMARY KEY, text TEXT NOT NULL, revision INTEGER NOT NULL) WITHOUT ROWID',
    `CREATE TABLE route_change (
       seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, name TEXT NOT NULL, before TEXT, after TEXT)`,
  ],
]

type Answer<Method extends keyof RouteStore> = Awaited<ReturnType<RouteStore[Method]>>

/** Routes and how they were before, in one database. A change and its row of the history are one transaction. */
export class RouteRows {
  readonly #sql: SyncSql

  constructor(sql: SyncSql) {
    this.#sql = sql
    migrate(sql, steps)
  }

  routes(known: number | undefined): Answer<'routes'> {
    const [row] = this.#sql.all('SELECT COALESCE(MAX(seq), 0) AS seq FROM route_change')
    const revision = row === undefined ? 0 : numberOf(row, 'seq')
    if (revision === known) return undefined
    const routes = this.#sql.all('SELECT * FROM route ORDER BY name').map(
      (one): KeptRoute => ({
        name: textOf(one, 'name'),
        text: textOf(one, 'text'),
        revision: numberOf(one, 'revision'),
      }),
    )
    return { revision, routes }
  }

  change(name: string, text: string | undefined, seen: number | undefined, ms: number): Answer<'change'> {
    return this.#sql.transaction(() => {
      const [row] = this.#sql.all('SELECT * FROM route WHERE name = ?', name)
      if (seen !== undefined && seen !== (row === undefined ? 0 : numberOf(row, 'revision'))) return 'stale'
      const before = row === undefined ? undefined : textOf(row, 'text')
      if (before === text) return 'changed'
      const [held] = this.#sql.all('SELECT COUNT(*) AS count FROM route')
      if (before === undefined && held !== undefined && numberOf(held, 'count') >= routesMax) return 'full'
      this.#sql.run(
        'INSERT INTO route_change (at_ms, name, before, after) VALUES (?, ?, ?, ?)',
        ms,
        name,
        before ?? null,
        text ?? null,
      )
      if (text === undefined) this.#sql.run('DELETE FROM route WHERE name = ?', name)
      else
        this.#sql.run(
          `INSERT INTO route (name, text, revision) VALUES (?, ?, (SELECT MAX(seq) FROM route_change))
           ON CONFLICT DO UPDATE SET text = excluded.text, revision = excluded.revision`,
          name,
          text,
        )
      this.#sql.run(
        'DELETE FROM route_change WHERE seq <= (SELECT MAX(seq) FROM route_change) - ?',
        routeChangesKeptMax,
      )
      return 'changed'
    })
  }

  changes(limit: number): Answer<'changes'> {
    return this.#sql.all('SELECT * FROM route_change ORDER BY seq DESC LIMIT ?', limit).map((row): RouteChange => {
      const { before, after } = row
      return {
        seq: numberOf(row, 'seq'),
        atMs: numberOf(row, 'at_ms'),
        name: textOf(row, 'name'),
        before: typeof before === 'string' ? before : undefined,
        after: typeof after === 'string' ? after : undefined,
      }
    })
  }
}

/** Routes in a database that this process has to itself. */
export function localRouteStore(rows: RouteRows): RouteStore {
  return {
    routes: async (known) => rows.routes(known),
    change: async (name, text, seen, ms) => rows.change(name, text, seen, ms),
    changes: async (limit) => rows.changes(limit),
  }
}
