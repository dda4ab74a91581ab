import { eq, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type NewEvent, recordEvent } from './events.ts'
import { downloaderWatch } from './schema/downloaders.ts'
import { channels } from './schema/messages.ts'

export type WatchedDownloader = typeof downloaderWatch.$inferSelect

/** What was last seen of downloaders that are watched. */
export interface DownloaderWatch {
  /** Whether an open channel wants to know of downloaders. */
  isWanted(): Promise<boolean>
  clear(): Promise<void>
  list(): Promise<WatchedDownloader[]>
  /** With what there is to tell of it. */
  note(seen: WatchedDownloader, events: readonly NewEvent[], nowUnix: number): Promise<void>
  /** Forgets all others. */
  keepOnly(downloaderIds: readonly number[]): Promise<void>
}

export function createDownloaderWatch(db: DrizzleD1Database): DownloaderWatch {
  return {
    async isWanted() {
      const wants = sql`instr(events, ',downloader.unreachable,') + instr(events, ',disk.low,') > 0`
      const rows = await db
        .select({ id: channels.id })
        .from(channels)
        .where(sql`${eq(channels.enabled, true)} and ${wants}`)
        .limit(1)
      return rows.length > 0
    },

    async clear() {
      await db.delete(downloaderWatch)
    },

    async list() {
      return db.select().from(downloaderWatch)
    },

    async note(seen, events, nowUnix) {
      const { downloaderId: _, ...set } = seen
      await db.batch([
        db.insert(downloaderWatch).values(seen).onConflictDoUpdate({ target: downloaderWatch.downloaderId, set }),
        ...events.flatMap((event) => recordEvent(db, event, nowUnix)),
      ])
    },

    async keepOnly(downloaderIds) {
      await db.delete(downloaderWatch).where(notInArray(downloaderWatch.downloaderId, [...downloaderIds]))
    },
  }
}
