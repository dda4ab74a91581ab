/**
 * Sessions by what was said in them: newest change first, a bounded number of messages for each request, in parts that share
 * the loop. An index of words would be written with every piece of text; this costs nothing until somebody asks.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure } from '../core/failure.ts'
import { decodePosition, encodePosition, readPosition } from '../core/session/listing.ts'
import { findSaid } from '../core/session/said.ts'
import { saidFoundMax, saidMessagesAtOnce, saidMessagesMax } from '../limits.ts'
import type { SaidPage } from '../ports.ts'
import { loopShare } from './loop-share.ts'
import { messageColumns, messageOf } from './open-message.ts'

interface Place {
  readonly id: string
  readonly updatedMs: number
  /** Messages before it are left; undefined: all. */
  readonly seq: number | undefined
}

interface SaidBounds {
  readonly messagesMax: number
  readonly foundMax: number
}

const bounds: SaidBounds = { messagesMax: saidMessagesMax, foundMax: saidFoundMax }

export async function searchSaidIn(
  sql: SyncSql,
  { text, cursor }: { readonly text: string; readonly cursor?: string | undefined },
  { messagesMax, foundMax } = bounds,
): Promise<Result<SaidPage, Failure>> {
  let place = cursor === undefined ? undefined : placeOf(cursor, text)
  if (cursor !== undefined && place === undefined)
    return failWith(failure('invalid_request', { kind: 'cursor_search' }, { kind: 'cursor' }))
  const matches: SaidPage['matches'][number][] = []
  let left = messagesMax
  for (let row = sessionAt(sql, place); row !== undefined; row = sessionAfter(sql, row)) {
    const [id, updatedMs] = [textOf(row, 'id'), numberOf(row, 'updated_ms')]
    let before = place?.id === id ? place.seq : undefined
    place = undefined
    for (;;) {
      if (loopShare.isSpent()) await loopShare.turn()
      const part = readPart(sql, id, before, text)
      left -= Math.max(1, part.length)
      const found = await firstSaid(sql, id, part, text)
      if (found !== undefined) matches.push({ session: textOf(row, 'record'), ...found })
      const last = part.at(-1)
      if (found !== undefined || last === undefined || part.length < saidMessagesAtOnce) break
      before = numberOf(last, 'seq')
      if (left <= 0) return succeed(pageUpTo(matches, { id, updatedMs, seq: before }, text))
    }
    if (left > 0 && matches.length < foundMax) continue
    const next = sessionAfter(sql, row)
    if (next === undefined) break
    const at = { id: textOf(next, 'id'), updatedMs: numberOf(next, 'updated_ms'), seq: undefined }
    return succeed({ ...pageUpTo(matches, at, text), searchedBackTo: updatedMs })
  }
  return succeed({ matches, searchedBackTo: null, next: undefined })
}

function pageUpTo(matches: SaidPage['matches'], { id, updatedMs, seq }: Place, text: string): SaidPage {
  const next = encodePosition({ text, id, at: updatedMs, direction: 'next', ...(seq === undefined ? {} : { seq }) })
  return { matches, searchedBackTo: updatedMs, next }
}

function placeOf(cursor: string, text: string): Place | undefined {
  const decoded = decodePosition(cursor)
  const position = decoded === undefined ? undefined : readPosition(decoded)
  const seq = decoded?.['seq']
  if (position === undefined || decoded?.['text'] !== text) return undefined
  if (seq !== undefined && (typeof seq !== 'number' || !Number.isSafeInteger(seq))) return undefined
  return { id: position.id, updatedMs: position.at, seq }
}

/** That session, or where it changed or is gone the first one that did not change since. */
function sessionAt(sql: SyncSql, place: Place | undefined): SqlRow | undefined {
  const [from, values] =
    place === undefined ? ['', []] : ['WHERE (updated_ms, id) <= (?, ?)', [place.updatedMs, place.id]]
  return sql.all(
    `SELECT id, updated_ms, record FROM session ${from} ORDER BY updated_ms DESC, id DESC LIMIT 1`,
    ...values,
  )[0]
}

function sessionAfter(sql: SyncSql, row: SqlRow): SqlRow | undefined {
  return sql.all(
    `SELECT id, updated_ms, record FROM session WHERE (updated_ms, id) < (?, ?)
     ORDER BY updated_ms DESC, id DESC LIMIT 1`,
    numberOf(row, 'updated_ms'),
    textOf(row, 'id'),
  )[0]
}

/** The next messages back, with their text where it may say the words: within JSON, and in small letters as SQLite has them. */
function readPart(sql: SyncSql, sessionId: string, before: number | undefined, text: string): SqlRow[] {
  return sql.all(
    `SELECT ${messageColumns} FROM
       (SELECT id, seq, is_open, projected_seq, CASE WHEN is_open = 1 OR instr(lower(data), lower(?)) > 0 THEN data END AS data
          FROM message WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?)
     ORDER BY seq DESC`,
    asciiPart(text),
    sessionId,
    before ?? Number.MAX_SAFE_INTEGER,
    saidMessagesAtOnce,
  )
}

/** SQLite makes small letters of ASCII alone, and JSON writes some signs otherwise: the longest run of which neither is so. */
function asciiPart(text: string): string {
  const runs = text.match(/[\x20-\x21\x23-\x5b\x5d-\x7e]+|[\u3400-\u9fff]+/g) ?? []
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}

async function firstSaid(sql: SyncSql, sessionId: string, part: readonly SqlRow[], text: string) {
  for (const row of part) {
    if (row['data'] === null) continue
    if (loopShare.isSpent()) await loopShare.turn()
    const said = findSaid(messageOf(sql, sessionId, row), text)
    if (said !== undefined) return { messageID: textOf(row, 'id'), ...said }
  }
  return undefined
}
