import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { RoutesAnswer } from '../contract/wire.ts'
import { compareText } from './search.ts'

export type RouteRow = RoutesAnswer['entries'][number]

const methods = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|ANY|ALL|USE) (.*)$/
const handlerKinds = new Set(['function', 'component', 'method', 'class', 'constant', 'variable', 'file'])

/** Every route with the symbol that answers it; handlers in tests and generated files are left out first. `prefixes` stand before what a class answers. */
export function routeRows(
  reader: GraphReader,
  prefixes: ReadonlyMap<number, readonly string[]>,
): { rows: RouteRow[]; total: number } {
  const rows: RouteRow[] = []
  let total = 0
  const { graph } = reader
  for (const n of graph.inSourceOrder()) {
    if (graph.kindOf(n) !== 'route') continue
    total += 1
    const node = reader.node(n)
    const routeFile = reader.file(node.file)
    const edge = reader
      .outgoing(node.n)
      .filter(
        (one) => (one.kind === 'references' || one.kind === 'calls') && handlerKinds.has(reader.node(one.target).kind),
      )
      .sort((left, right) => right.confidence - left.confidence)[0]
    if (edge === undefined) continue
    const handler = reader.node(edge.target)
    const file = reader.file(handler.file)
    if (file.isNonProduction || file.isGenerated || routeFile.isNonProduction) continue
    const matched = methods.exec(node.name)
    const url = matched?.[2] ?? node.name
    for (const before of prefixes.get(handler.parent) ?? ['']) {
      const whole = before === '' ? url : `${before}/${url}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
      rows.push({
        url: whole,
        method: matched?.[1] ?? null,
        path: whole,
        handler: handler.name,
        handlerKind: handler.kind,
        file: file.path,
        line: handler.line,
        handlerId: handler.id,
        routeFile: routeFile.path,
        routeLine: node.line,
        routeId: node.id,
      })
    }
  }
  rows.sort(
    (left, right) =>
      compareText(left.routeFile, right.routeFile) ||
      left.routeLine - right.routeLine ||
      compareText(left.url, right.url),
  )
  return { rows, total }
}

export function routesAnswer(
  reader: GraphReader,
  limit: number,
  routesMin: number,
  prefixes: ReadonlyMap<number, readonly string[]>,
): RoutesAnswer {
  const { rows, total } = routeRows(reader, prefixes)
  if (rows.length < routesMin) {
    return {
      routed: false,
      routeCount: total,
      shown: 0,
      truncated: false,
      topHandlerFile: null,
      topHandlerFileCount: 0,
      entries: [],
    }
  }
  const entries = rows.slice(0, limit)
  const files = new Map<string, number>()
  for (const row of rows) files.set(row.file, (files.get(row.file) ?? 0) + 1)
  const [top] = [...files].sort((left, right) => right[1] - left[1] || compareText(left[0], right[0]))
  return {
    routed: true,
    routeCount: total,
    shown: entries.length,
    truncated: entries.length < total,
    topHandlerFile: top?.[0] ?? null,
    topHandlerFileCount: top?.[1] ?? 0,
    entries,
  }
}
