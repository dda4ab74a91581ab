import { pendingDecisionSchema } from '#shared/decision/pending-decision.ts'
import { eventLogSchema } from '#shared/event-log/event-log.ts'

/** The database of a conversation's object, step by step. */
export const conversationSchema: readonly (readonly string[])[] = [
  [
    `CREATE TABLE conversation (
       one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, principal TEXT NOT NULL, title TEXT NOT NULL,
       entry TEXT NOT NULL, is_deleted INTEGER NOT NULL DEFAULT 0, created_at_ms INTEGER NOT NULL,
       updated_at_ms INTEGER NOT NULL,
       -- Readers that stopped before this number read again: a restart cut an answer short there.
       restart_seq INTEGER NOT NULL DEFAULT 0,
       -- Grows with what the list of conversations has to be told; what it knows.
       revision INTEGER NOT NULL DEFAULT 1, told_revision INTEGER NOT NULL DEFAULT 0
     )`,
    // The run under way: one row or none.
    `CREATE TABLE run (
       id TEXT PRIMARY KEY, steps INTEGER NOT NULL DEFAULT 0, text_bytes INTEGER NOT NULL DEFAULT 0,
       partial TEXT NOT NULL DEFAULT ''
     )`,
    `CREATE TABLE message (
       number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, run_id TEXT NOT NULL, part TEXT NOT NULL,
       created_at_ms INTEGER NOT NULL
     )`,
    `CREATE INDEX message_by_run ON message (run_id)`,
    // Actions that were begun in the run under way. Their results are messages.
    `CREATE TABLE started_action (confirmation_id TEXT PRIMARY KEY, audit_id INTEGER NOT NULL)`,
    ...eventLogSchema,
    ...pendingDecisionSchema,
  ],
]
