import { and, asc, count, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { calledBy } from '../../core/media/called-by.ts'
import { foldName } from '../../core/media/fold-name.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import { foldTitle } from '../../core/torrent-listing.ts'
import type { TaskSource, UnknownEnd } from '../../core/vocabulary.ts'
import { calledRecordsMax, followedTasksMax, pushRecordsMax, taskFollowSeconds } from '../../limits.ts'
import type { PushRecord, PushRecords } from '../../ports/pushes.ts'
import { recordPushEvents } from './events.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'

type Row = typeof pushRecords.$inferSelect

/** What is known when a push begins. */
export interface PushFacts
  extends Pick<
    PushRecord,
    'site' | 'torrentId' | 'title' | 'sizeBytes' | 'category' | 'tags' | 'free' | 'hasHr' | 'source' | 'downloader'
  > {
  readonly freeLevel?: PushRecord['freeLevel']
  readonly freeEndAtUnix?: number
  readonly unknownEnd?: UnknownEnd
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
}

/** A record whose torrent is looked for in its downloader. */
export interface FollowedPush {
  readonly id: number
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
  readonly isPushed: boolean
  readonly progressPercent: number
  readonly missingSinceUnix?: number
  /** A push under way, or cut off: whether anything came of it is not known. */
  readonly startedAtUnix?: number
}

/** What a look into the downloader found out about a record. */
export type PushNote =
  | { readonly id: number; readonly torrent: Torrent }
  | { readonly id: number; readonly missingSinceUnix: number }
  /** Nothing more is to be found out, and why. */
  | { readonly id: number; readonly lost: Reason }

/** What the service itself writes down about pushes. */
export interface PushRecordStore extends PushRecords {
  /** Before anything is sent. One row a torrent of a site: a push again goes on in the same one. */
  begin(facts: PushFacts): Promise<number>
  succeeded(id: number, facts: PushFacts, infoHash: string): Promise<void>
  /** What was pushed before stays pushed. */
  failed(id: number, reason: Reason): Promise<void>
  /** The push came to nothing that is worth a record: one made for it goes. */
  dropped(id: number): Promise<void>
  /** Somebody wants what a brush task brought: from now on it is theirs, and stays. */
  claimed(downloaderId: number, infoHash: string, source: TaskSource): Promise<void>
  /** Under which a torrent of a site was sent before; none where it never was. */
  hashesOf(site: string, torrentId: string): Promise<readonly string[]>
  /** Bytes at the site that were pushed and are not in its figures of that time. */
  uncountedBytes(site: string, figuresAtUnix: number): Promise<number>
  /**
   * Those whose turn it is: as many as the bound from all downloaders evenly, so that none keeps another waiting, and the
   * next ones in the next turn. Downloaders that are switched off have none.
   */
  followed(): Promise<FollowedPush[]>
  /** Whether any is to be followed, now or once its downloader is on again. */
  isAnyFollowed(): Promise<boolean>
  note(notes: readonly PushNote[]): Promise<void>
}

/** How often a new record also removes the oldest: each hundredth, decided by its id. */
const trimEvery = 100

export function createPushRecords(db: DrizzleD1Database, clock: Clock): PushRecordStore {
  const isFollowed = or(eq(pushRecords.followed, true), isNotNull(pushRecords.startedAtUnix))
  const withId = (id: number) => eq(pushRecords.id, id)

  function columnsOf({ infoHashes, ...facts }: PushFacts) {
    return {
      ...facts,
      freeLevel: facts.freeLevel ?? null,
      freeEndAtUnix: facts.freeEndAtUnix ?? null,
      unknownEnd: facts.unknownEnd ?? null,
      foldedTitle: foldTitle(facts.title),
      infoHashes: infoHashes.join(','),
    }
  }

  return {
    async page({ site, keyword, pushedOnly }, page, pageSize) {
      const wanted = and(
        site === undefined ? undefined : eq(pushRecords.site, site),
        keyword === undefined || keyword === ''
          ? undefined
          : sql`instr(${pushRecords.foldedTitle}, ${foldTitle(keyword)}) > 0`,
        pushedOnly ? eq(pushRecords.pushed, true) : undefined,
      )
      const [rows, totals] = await db.batch([
        db
          .select({ record: pushRecords, downloader: downloaders.name })
          .from(pushRecords)
          .leftJoin(downloaders, eq(downloaders.id, pushRecords.downloaderId))
          .where(wanted)
          .orderBy(desc(pushRecords.id))
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        db.select({ count: count() }).from(pushRecords).where(wanted),
      ])
      return {
        items: rows.map(({ record, downloader }) => toRecord(record, downloader ?? record.downloader)),
        total: totals[0]?.count ?? 0,
      }
    },

    async called(names) {
      const kept = and(eq(pushRecords.pushed, true), isNull(pushRecords.error), ne(pushRecords.source, 'brush'))
      const rows = await db
        .select({ title: pushRecords.title })
        .from(pushRecords)
        .where(kept)
        .orderBy(desc(pushRecords.id))
        .limit(calledRecordsMax)
      const isCalled = calledBy(names)
      return rows.flatMap(({ title }) => (isCalled(foldName(title)) ? [title] : []))
    },

    async begin(facts) {
      const startedAtUnix = unixSeconds(clock)
      const [row] = await db
        .insert(pushRecords)
        .values({ ...columnsOf(facts), createdAtUnix: startedAtUnix, startedAtUnix })
        .onConflictDoUpdate({
          target: [pushRecords.site, pushRecords.torrentId],
          // Of a record that was pushed, what it says stays true until this push succeeds.
          set: { startedAtUnix },
        })
        .returning({ id: pushRecords.id, pushed: pushRecords.pushed })
      if (row === undefined) throw new Error('the push record was not written')
      if (!row.pushed) await db.update(pushRecords).set(columnsOf(facts)).where(withId(row.id))
      if (row.id % trimEvery === 0) {
        await db.run(
          sql`delete from push_records where followed = 0 and started_at_unix is null and id <= ${row.id - pushRecordsMax}`,
        )
      }
      return row.id
    },

    async succeeded(id, facts, infoHash) {
      const others = facts.infoHashes.filter((one) => one !== infoHash)
      const update = db
        .update(pushRecords)
        .set({
          ...columnsOf({ ...facts, infoHashes: [infoHash, ...others] }),
          pushed: true,
          pushedAtUnix: unixSeconds(clock),
          progressPercent: 0,
          completed: false,
          completedAtUnix: null,
          error: null,
          startedAtUnix: null,
          followed: true,
          freeEnding: null,
          missingSinceUnix: null,
        })
        .where(withId(id))
      await db.batch([
        ...recordPushEvents(db, 'push.done', { ids: [id], where: isUnderWay }, unixSeconds(clock)),
        update,
      ])
    },

    async failed(id, reason) {
      await db.batch([
        ...recordPushEvents(db, 'push.stopped', { ids: [id], where: isUnderWay, reason }, unixSeconds(clock)),
        db
          .update(pushRecords)
          .set({ error: storeReason(reason), startedAtUnix: null })
          .where(withId(id)),
      ])
    },

    async dropped(id) {
      await db.batch([
        db.delete(pushRecords).where(and(withId(id), eq(pushRecords.pushed, false))),
        db.update(pushRecords).set({ startedAtUnix: null }).where(withId(id)),
      ])
    },

    async claimed(downloaderId, infoHash, source) {
      await db
        .update(pushRecords)
        .set({ source })
        .where(
          and(
            sql`source = 'brush'`,
            eq(pushRecords.downloaderId, downloaderId),
            sql`instr(${pushRecords.infoHashes}, ${infoHash}) > 0`,
          ),
        )
    },

    async hashesOf(site, torrentId) {
      const [row] = await db
        .select({ infoHashes: pushRecords.infoHashes })
        .from(pushRecords)
        .where(and(eq(pushRecords.site, site), eq(pushRecords.torrentId, torrentId)))
      return row === undefined ? [] : row.infoHashes.split(',')
    },

    async uncountedBytes(site, figuresAtUnix) {
      const [row] = await db
        .select({ bytes: sql<number>`coalesce(sum(${pushRecords.sizeBytes}), 0)` })
        .from(pushRecords)
        .where(
          and(
            eq(pushRecords.site, site),
            eq(pushRecords.pushed, true),
            or(eq(pushRecords.followed, true), sql`${pushRecords.completedAtUnix} >= ${figuresAtUnix}`),
          ),
        )
      return row?.bytes ?? 0
    },

    async followed() {
      // A downloader that is gone has no row: its records are told so once.
      const isReachable = and(isFollowed, or(isNull(downloaders.id), eq(downloaders.enabled, true)))
      const belongs = eq(downloaders.id, pushRecords.downloaderId)
      const [totals] = await db
        .select({ count: count() })
        .from(pushRecords)
        .leftJoin(downloaders, belongs)
        .where(isReachable)
      const turns = Math.max(1, Math.ceil((totals?.count ?? 0) / followedTasksMax))
      const turn = Math.floor(unixSeconds(clock) / taskFollowSeconds) % turns
      const places = sql`row_number() over (partition by ${pushRecords.downloaderId} order by ${pushRecords.id})`
      const joined = await db
        .select({ row: pushRecords })
        .from(pushRecords)
        .leftJoin(downloaders, belongs)
        .where(isReachable)
        .orderBy(places, asc(pushRecords.id))
        .limit(followedTasksMax)
        .offset(turn * followedTasksMax)
      const rows = joined.map(({ row }) => row)
      return rows.map(({ id, downloaderId, infoHashes, pushed, progressPercent, missingSinceUnix, startedAtUnix }) => ({
        id,
        downloaderId,
        infoHashes: infoHashes.split(','),
        isPushed: pushed,
        progressPercent,
        ...(missingSinceUnix === null ? {} : { missingSinceUnix }),
        ...(startedAtUnix === null ? {} : { startedAtUnix }),
      }))
    },

    async isAnyFollowed() {
      return (await db.select({ id: pushRecords.id }).from(pushRecords).where(isFollowed).limit(1)).length > 0
    },

    async note(notes) {
      const nowUnix = unixSeconds(clock)
      for (let start = 0; start < notes.length; start += notesPerBatch) {
        const part = notes.slice(start, start + notesPerBatch)
        const updates = part.map((one) => db.update(pushRecords).set(changeOf(one, nowUnix)).where(withId(one.id)))
        // Before the records change: of what they say already nothing is told.
        const [first, ...others] = [...newsOf(db, part, nowUnix), ...updates]
        if (first !== undefined) await db.batch([first, ...others])
      }
    },
  }
}

const notesPerBatch = 50

/** A push that was begun, and of which nothing was told yet. */
const isUnderWay = sql`started_at_unix is not null`

function newsOf(db: DrizzleD1Database, notes: readonly PushNote[], nowUnix: number) {
  const shown = notes.filter((note) => 'torrent' in note)
  const complete = shown.filter(({ torrent }) => isComplete(torrent))
  const lost = Map.groupBy(
    notes.filter((note) => 'lost' in note),
    (note) => storeReason(note.lost),
  )
  const ids = (some: readonly PushNote[]) => some.map(({ id }) => id)
  return [
    ...(shown.length === 0 ? [] : recordPushEvents(db, 'push.done', { ids: ids(shown), where: isUnderWay }, nowUnix)),
    ...(complete.length === 0
      ? []
      : recordPushEvents(db, 'push.completed', { ids: ids(complete), where: sql`completed = 0` }, nowUnix)),
    ...[...lost.values()].flatMap((some) =>
      recordPushEvents(db, 'push.stopped', { ids: ids(some), where: isUnderWay, reason: some[0]?.lost }, nowUnix),
    ),
  ]
}

function isComplete({ progressPercent }: Torrent): boolean {
  return progressPercent >= 100
}

function changeOf(note: PushNote, nowUnix: number) {
  if ('lost' in note) return { error: storeReason(note.lost), startedAtUnix: null, followed: false }
  if ('missingSinceUnix' in note) return { missingSinceUnix: note.missingSinceUnix }
  const { torrent } = note
  const completed = isComplete(torrent)
  const pushedAtUnix = sql`coalesce(${pushRecords.pushedAtUnix}, ${nowUnix})`
  return {
    pushed: true,
    pushedAtUnix,
    progressPercent: torrent.progressPercent,
    completed,
    // By the downloader's clock, which may be behind; and a small file is there before its push is told to be made.
    completedAtUnix: completed ? sql`max(${torrent.completedAtUnix || nowUnix}, ${pushedAtUnix})` : null,
    error: null,
    startedAtUnix: null,
    followed: !completed,
    missingSinceUnix: null,
  }
}

function toRecord(row: Row, downloader: string): PushRecord {
  const { freeLevel, freeEndAtUnix, freeEnding, pushedAtUnix, completedAtUnix, error, ...present } = row
  const reason = readReason(error)
  return {
    ...present,
    downloader,
    ...(freeLevel === null ? {} : { freeLevel }),
    ...(freeEndAtUnix === null ? {} : { freeEndAtUnix }),
    ...(freeEnding === null ? {} : { freeEnding }),
    ...(pushedAtUnix === null ? {} : { pushedAtUnix }),
    ...(completedAtUnix === null ? {} : { completedAtUnix }),
    ...(reason === undefined ? {} : { reason }),
  }
}
