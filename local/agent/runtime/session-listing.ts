/** Pages of sessions and of messages, straight from the stored JSON. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SqlValue, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure } from '../core/failure.ts'
import { decodePosition, encodePosition, type ListPosition, readPosition } from '../core/session/listing.ts'
import { sessionPageDefault } from '../limits.ts'
import type { MessageQuery, Page, SessionQuery } from '../ports.ts'
import { messageColumns, messageText } from './open-message.ts'

const badCursor = failWith(failure('invalid_request', { kind: 'cursor_foreign' }, { kind: 'cursor' }))

interface Order {
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly position: ListPosition | undefined
}

/** A page, its rows in list order, and whether more lie on either side. */
function readPage(
  read: (comparison: string, values: readonly SqlValue[], direction: 'ASC' | 'DESC', limit: number) => SqlRow[],
  { order, limit, position }: Order,
): { readonly rows: SqlRow[]; readonly hasPrevious: boolean; readonly hasNext: boolean } {
  const goesBack = position?.direction === 'previous'
  const ascends = (order === 'asc') !== goesBack
  const comparison = position === undefined ? '' : ascends ? '>' : '<'
  const values = position === undefined ? [] : [position.at, position.id]
  const found = read(comparison, values, ascends ? 'ASC' : 'DESC', limit + 1)
  const hasMore = found.length > limit
  const rows = hasMore ? found.slice(0, limit) : found
  if (goesBack) return { rows: rows.reverse(), hasPrevious: hasMore, hasNext: true }
  return { rows, hasPrevious: position !== undefined, hasNext: hasMore }
}

function cursorsOf(
  page: { readonly rows: readonly SqlRow[]; readonly hasPrevious: boolean; readonly hasNext: boolean },
  at: string,
  filters: Readonly<Record<string, unknown>>,
): Pick<Page, 'previous' | 'next'> {
  const first = page.rows[0]
  const last = page.rows.at(-1)
  const cursor = (row: SqlRow, direction: 'previous' | 'next') =>
    encodePosition({ ...filters, id: textOf(row, 'id'), at: numberOf(row, at), direction })
  return {
    ...(first !== undefined && page.hasPrevious ? { previous: cursor(first, 'previous') } : {}),
    ...(last !== undefined && page.hasNext ? { next: cursor(last, 'next') } : {}),
  }
}

const filterNames = ['search', 'directory', 'project', 'subpath', 'sort', 'order'] as const

export function listSessionRows(sql: SyncSql, query: SessionQuery): Result<Page, Failure> {
  const decoded = query.cursor === undefined ? undefined : decodePosition(query.cursor)
  const position = decoded === undefined ? undefined : readPosition(decoded)
  if (query.cursor !== undefined) {
    if (decoded === undefined || position === undefined) return badCursor
    if (query.order !== undefined) return failWith(failure('invalid_request', { kind: 'cursor_order' }))
  }
  const filters: Record<string, string> = {}
  for (const name of filterNames) {
    const value = decoded === undefined ? query[name] : decoded[name]
    if (value === undefined) continue
    if (typeof value !== 'string') return badCursor
    if (decoded !== undefined && query[name] !== undefined && query[name] !== value) {
      return failWith(failure('invalid_request', { kind: 'cursor_other', name }))
    }
    filters[name] = value
  }
  if (filters['directory'] !== undefined && filters['project'] !== undefined) {
    return failWith(failure('invalid_request', { kind: 'excluding', names: 'directory and project' }))
  }
  if (filters['subpath'] !== undefined && filters['project'] === undefined) {
    return failWith(failure('invalid_request', { kind: 'subpath_alone' }))
  }
  const at = filters['sort'] === 'created' ? 'created_ms' : 'updated_ms'
  const order = filters['order'] === 'asc' ? 'asc' : 'desc'
  const conditions: string[] = []
  const values: SqlValue[] = []
  function where(condition: string, value: string | undefined) {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  where('directory = ?', filters['directory'])
  where('project_id = ?', filters['project'])
  where('subpath = ?', filters['subpath'])
  where('instr(lower(title), lower(?)) > 0', filters['search'])
  const page = readPage(
    (comparison, bounds, direction, limit) => {
      const all = comparison === '' ? conditions : [...conditions, `(${at}, id) ${comparison} (?, ?)`]
      return sql.all(
        `SELECT id, ${at}, record FROM session ${all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`}
         ORDER BY ${at} ${direction}, id ${direction} LIMIT ?`,
        ...values,
        ...bounds,
        limit,
      )
    },
    { order, limit: query.limit ?? sessionPageDefault, position },
  )
  return succeed({ rows: page.rows.map((row) => textOf(row, 'record')), ...cursorsOf(page, at, filters) })
}

export function listMessageRows(sql: SyncSql, sessionId: string, query: MessageQuery): Result<Page, Failure> {
  const decoded = query.cursor === undefined ? undefined : decodePosition(query.cursor)
  const position = decoded === undefined ? undefined : readPosition(decoded)
  if (query.cursor !== undefined) {
    if (decoded === undefined || position === undefined || decoded['session'] !== sessionId) return badCursor
    if (decoded['order'] !== 'asc' && decoded['order'] !== 'desc') return badCursor
    if (query.order !== undefined) return failWith(failure('invalid_request', { kind: 'cursor_order' }))
  }
  const order = (decoded === undefined ? query.order : decoded['order']) === 'asc' ? 'asc' : 'desc'
  const page = readPage(
    (comparison, bounds, direction, limit) =>
      sql.all(
        `SELECT ${messageColumns} FROM message WHERE session_id = ? ${comparison === '' ? '' : `AND (seq, id) ${comparison} (?, ?)`}
         ORDER BY seq ${direction} LIMIT ?`,
        sessionId,
        ...bounds,
        limit,
      ),
    { order, limit: query.limit, position },
  )
  return succeed({
    rows: page.rows.map((row) => messageText(sql, sessionId, row)),
    ...cursorsOf(page, 'seq', { session: sessionId, order }),
  })
}
