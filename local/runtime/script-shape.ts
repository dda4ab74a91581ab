/** What of wrangler.toml a host needs to know of its script. */
import type { RuntimeShape } from './compose.ts'

type Table = Readonly<Record<string, unknown>>

function tables(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.filter((one): one is Table => typeof one === 'object' && one !== null) : []
}

export function table(value: unknown): Table {
  return typeof value === 'object' && value !== null ? (value as Table) : {}
}

export function readShape(config: Table): RuntimeShape {
  return {
    name: String(config['name']),
    databases: tables(config['d1_databases']).map((one) => ({
      binding: String(one['binding']),
      id: String(one['database_id']),
    })),
    objects: tables(table(config['durable_objects'])['bindings']).map((one) => ({
      binding: String(one['name']),
      className: String(one['class_name']),
    })),
  }
}
