import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { ConversationSummary } from '../../core/assistant/conversation.ts'
import { conversationsListedMax, conversationsMax, runsMax } from '../../limits.ts'
import { conversations } from './schema/assistant.ts'

/**
 * The list of conversations. What a conversation is stands in its own object, which tells this list; it is what callers
 * look their conversations up in, and the one place where runs are counted.
 */
export interface ConversationIndex {
  /** Whether a caller has one of this id. */
  has(principalId: string, id: string): Promise<boolean>
  /** Most recently updated first. */
  list(principalId: string): Promise<ConversationSummary[]>
  put(principalId: string, conversation: ConversationSummary): Promise<void>
  /** As `put`, with a run. False when as many are under way as may be. */
  claim(principalId: string, conversation: ConversationSummary & { readonly runId: string }): Promise<boolean>
  remove(id: string): Promise<void>
  /** Every one of a caller. */
  idsOf(principalId: string): Promise<string[]>
  /** Conversations beyond the bound that nobody is being answered in, those that rested longest first. */
  surplus(principalId: string): Promise<string[]>
}

export function createConversationIndex(db: DrizzleD1Database): ConversationIndex {
  const ofPrincipal = (principalId: string) => eq(conversations.principalId, principalId)

  return {
    async has(principalId, id) {
      const mine = and(eq(conversations.id, id), ofPrincipal(principalId))
      return (await db.select({ id: conversations.id }).from(conversations).where(mine)).length > 0
    },

    async list(principalId) {
      const rows = await db
        .select()
        .from(conversations)
        .where(ofPrincipal(principalId))
        .orderBy(desc(conversations.updatedAtMs), desc(conversations.id))
        .limit(conversationsListedMax)
      return rows.map(({ principalId: _, runId, ...row }) => ({ ...row, ...(runId === null ? {} : { runId }) }))
    },

    async put(principalId, { runId, ...conversation }) {
      const columns = { ...conversation, principalId, runId: runId ?? null }
      await db.insert(conversations).values(columns).onConflictDoUpdate({ target: conversations.id, set: columns })
    },

    async claim(principalId, { id, title, entry, createdAtMs, updatedAtMs, runId }) {
      // Counted and written by one statement: of many that come at once no more pass than may.
      const rows = await db.all(
        sql`insert into conversations (id, principal_id, title, entry, run_id, created_at_ms, updated_at_ms)
            select ${id}, ${principalId}, ${title}, ${entry}, ${runId}, ${createdAtMs}, ${updatedAtMs}
            where (select count(*) from conversations where run_id is not null and id <> ${id}) < ${runsMax}
            on conflict (id) do update set run_id = excluded.run_id, title = excluded.title, updated_at_ms = excluded.updated_at_ms
            returning id`,
      )
      return rows.length > 0
    },

    async remove(id) {
      await db.delete(conversations).where(eq(conversations.id, id))
    },

    async idsOf(principalId) {
      const rows = await db.select({ id: conversations.id }).from(conversations).where(ofPrincipal(principalId))
      return rows.map(({ id }) => id)
    },

    async surplus(principalId) {
      const kept = db
        .select({ id: conversations.id })
        .from(conversations)
        .where(ofPrincipal(principalId))
        .orderBy(desc(conversations.updatedAtMs), desc(conversations.id))
        .limit(conversationsMax)
      const rows = await db
        .select({ id: conversations.id })
        .from(conversations)
        .where(and(ofPrincipal(principalId), isNull(conversations.runId), sql`${conversations.id} not in ${kept}`))
        .orderBy(asc(conversations.updatedAtMs))
      return rows.map(({ id }) => id)
    },
  }
}
