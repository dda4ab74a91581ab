/**
 * A decision that is asked once and settled once. The row is changed by one statement that only matches while it is
 * pending, so of any number of answers exactly one wins, whatever raced, and a restart in between changes nothing.
 */
import { type SqlRow, type SyncSql, textOf } from '../sql/sync-sql.ts'

export const pendingDecisionSchema = [
  `CREATE TABLE pending_decision (
     id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
     request TEXT NOT NULL, outcome TEXT, asked_at_ms INTEGER NOT NULL, settled_at_ms INTEGER
   ) WITHOUT ROWID`,
  `CREATE INDEX pending_decision_by_owner ON pending_decision (status, kind, owner_id)`,
] as const

export interface Decision {
  readonly id: string
  readonly ownerId: string
  readonly kind: string
  readonly request: string
}

export function askDecision(sql: SyncSql, decision: Decision, nowMs: number): void {
  sql.run(
    `INSERT INTO pending_decision (id, owner_id, kind, status, request, asked_at_ms) VALUES (?, ?, ?, 'pending', ?, ?)`,
    decision.id,
    decision.ownerId,
    decision.kind,
    decision.request,
    nowMs,
  )
}

/** Settles the decision if it is pending, is of this kind and belongs to this owner. The caller holds the transaction. */
export function settleDecision(
  sql: SyncSql,
  key: { readonly id: string; readonly ownerId: string; readonly kind: string },
  outcome: string,
  nowMs: number,
): Decision | undefined {
  const [row] = sql.all(
    `UPDATE pending_decision SET status = 'settled', outcome = ?, settled_at_ms = ?
     WHERE id = ? AND owner_id = ? AND kind = ? AND status = 'pending' RETURNING *`,
    outcome,
    nowMs,
    key.id,
    key.ownerId,
    key.kind,
  )
  return row === undefined ? undefined : toDecision(row)
}

/** Pending decisions of one kind, oldest first, of one owner or of all. */
export function pendingDecisions(sql: SyncSql, kind: string, ownerId?: string): Decision[] {
  const rows =
    ownerId === undefined
      ? sql.all(`SELECT * FROM pending_decision WHERE status = 'pending' AND kind = ? ORDER BY asked_at_ms, id`, kind)
      : sql.all(
          `SELECT * FROM pending_decision WHERE status = 'pending' AND kind = ? AND owner_id = ? ORDER BY asked_at_ms, id`,
          kind,
          ownerId,
        )
  return rows.map(toDecision)
}

function toDecision(row: SqlRow): Decision {
  return {
    id: textOf(row, 'id'),
    ownerId: textOf(row, 'owner_id'),
    kind: textOf(row, 'kind'),
    request: textOf(row, 'request'),
  }
}
