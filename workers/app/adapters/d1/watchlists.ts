import { and, asc, count, desc, eq, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ListEntry } from '../../core/lists/list-entry.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { Title } from '../../core/title.ts'
import { jobJitterShare, watchlistBackOffSecondsMax, watchlistItemsShown, watchlistsMax } from '../../limits.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import type { EntryDecision, Watchlist, WatchlistItem, WatchlistPlace, Watchlists } from '../../ports/watchlists.ts'
import { type ListPlace, listAddressDefaults } from '../lists/fetch-list.ts'
import { isTaken } from './is-taken.ts'
import { bringJobForward, serviceJob } from './job-list.ts'
import { dueAfterRun } from './own-pace.ts'
import { watchlistItems, watchlists } from './schema/watchlists.ts'

export type WatchlistRow = typeof watchlists.$inferSelect
type WatchlistItemRow = typeof watchlistItems.$inferSelect

interface Sealed {
  readonly address: string
  readonly key: string
}

/** Without the proxy, which is not a list's. */
type StoredPlace = Omit<ListPlace, 'proxy'>

/** What runs read and write beside what the owner does. */
export interface WatchlistStore extends Watchlists {
  /** One that is due, its turn taken. */
  begin(): Promise<WatchlistRow | undefined>
  /** Undefined when it cannot be opened. */
  place(row: WatchlistRow): Promise<StoredPlace | undefined>
  /** What a place is with what is stored of this list. Undefined for a list that is not there, or does not open. */
  tried(place: WatchlistPlace, id: number | undefined): Promise<StoredPlace | undefined>
  /** What is new on it waits, or is only noted. */
  note(row: WatchlistRow, entries: readonly ListEntry[], marks: { etag: string; lastModified: string }): Promise<void>
  /** `note` is told of one that was read; one with a `fault` is asked less and less. */
  finish(
    row: WatchlistRow,
    outcome: { readonly fault?: Reason | undefined; readonly note?: Reason | undefined },
    random: number,
  ): Promise<void>
  waiting(limit: number): Promise<{ readonly item: WatchlistItemRow; readonly list: WatchlistRow }[]>
  decide(item: WatchlistItemRow, decision: EntryDecision): Promise<void>
  /** When there is something to do again. */
  nextDue(moreSeconds: number): Promise<number | undefined>
}

const sealContext = (id: number) => `watchlist:${id}:place`

export function createWatchlists(
  db: DrizzleD1Database,
  deps: { readonly clock: Clock; readonly secrets: SecretBox; readonly wake: () => Promise<void> },
): WatchlistStore {
  const { clock, secrets } = deps
  const now = () => unixSeconds(clock)
  const isRead = and(eq(watchlists.enabled, true), ne(watchlists.host, ''))

  async function list(id?: number): Promise<Watchlist[]> {
    const rows = await db
      .select()
      .from(watchlists)
      .where(id === undefined ? undefined : eq(watchlists.id, id))
      .orderBy(asc(watchlists.id))
    const counts = await db
      .select({ listId: watchlistItems.listId, status: watchlistItems.status, many: count() })
      .from(watchlistItems)
      .groupBy(watchlistItems.listId, watchlistItems.status)
    return rows.map((row) => {
      const lastReason = readReason(row.lastReason)
      const { name, enabled, kind, host, account, everyMinutes, firstLook, dueAtUnix, lastAtUnix } = row
      const { profileId, downloaderId, upgrade } = row
      return {
        id: row.id,
        name,
        enabled,
        kind,
        host,
        account,
        list: row.list,
        everyMinutes,
        firstLook,
        profileId,
        downloaderId,
        upgrade,
        counts: Object.fromEntries(
          counts.filter(({ listId }) => listId === row.id).map((one) => [one.status, one.many]),
        ),
        dueAtUnix,
        ...(lastAtUnix === null ? {} : { lastAtUnix }),
        ...(lastReason === undefined ? {} : { lastReason }),
      }
    })
  }

  async function opened(row: WatchlistRow): Promise<Sealed | undefined> {
    const text = await secrets.open(row.sealed, sealContext(row.id))
    return text.ok ? (JSON.parse(text.value) as Sealed) : undefined
  }

  /** A stored key goes only to the place it was stored for. */
  function sealedOf({ kind, address, key }: WatchlistPlace, present: Sealed | undefined): Sealed {
    const to = address === undefined || address === '' ? (listAddressDefaults[kind] ?? present?.address ?? '') : address
    return { address: to, key: key ?? (present?.address === to ? present.key : '') }
  }

  async function columnsOf(id: number, change: Parameters<Watchlists['add']>[0], sealed: Sealed) {
    const { name, enabled, kind, account, list: listName, everyMinutes, firstLook } = change
    const { profileId, downloaderId, upgrade } = change
    return {
      ...{ name, enabled, kind, account, list: listName, everyMinutes, firstLook, profileId, downloaderId, upgrade },
      host: change.entries !== undefined || sealed.address === '' ? '' : new URL(sealed.address).host,
      sealed: await secrets.seal(JSON.stringify(sealed), sealContext(id)),
      dueAtUnix: now(),
      failures: 0,
      lastReason: '',
    }
  }

  async function noted(row: WatchlistRow, entries: readonly ListEntry[]): Promise<void> {
    const status = !row.primed && row.firstLook === 'new' ? 'seen' : 'waiting'
    const nowUnix = now()
    const rows = entries.map(
      (entry) =>
        ({
          listId: row.id,
          key: entry.key,
          entry: JSON.stringify(entry),
          status,
          foundAtUnix: nowUnix,
          decidedAtUnix: nowUnix,
        }) as const,
    )
    // So many values one statement takes.
    for (let at = 0; at < rows.length; at += 12)
      await db
        .insert(watchlistItems)
        .values(rows.slice(at, at + 12))
        .onConflictDoNothing()
  }

  async function stored(id: number, entries: readonly ListEntry[] | undefined): Promise<Watchlist> {
    const [row] = await db.select().from(watchlists).where(eq(watchlists.id, id))
    if (row !== undefined && entries !== undefined) {
      await noted(row, entries)
      await db.update(watchlists).set({ primed: true, lastAtUnix: now() }).where(eq(watchlists.id, id))
    }
    await soon()
    const [written] = await list(id)
    if (written === undefined) throw new Error('the watchlist was not written')
    return written
  }

  async function soon(): Promise<void> {
    await bringJobForward(db, serviceJob('watchlists'), now())
    await deps.wake()
  }

  async function named<T>(write: () => Promise<T>): Promise<Result<T, 'name_taken'>> {
    try {
      return succeed(await write())
    } catch (error) {
      if (isTaken(error, 'watchlists.name')) return failWith('name_taken')
      throw error
    }
  }

  const isOpen = inArray(watchlistItems.status, ['unclear', 'unknown', 'failed', 'seen'])

  return {
    list: () => list(),

    async add(change) {
      const [present] = await db.select({ many: count() }).from(watchlists)
      if ((present?.many ?? 0) >= watchlistsMax) return failWith('too_many')
      if ((await secrets.state()) !== 'ready') return failWith('secrets')
      // The row's id is part of what the seal authenticates, so it is chosen before the row exists.
      const [sequence] = await db.all<{ seq: number }>(sql`select seq from sqlite_sequence where name = 'watchlists'`)
      const id = (sequence?.seq ?? 0) + 1
      const columns = await columnsOf(id, change, sealedOf(change, undefined))
      const added = await named(() => db.insert(watchlists).values({ id, ...columns, createdAtUnix: now() }))
      return added.ok ? succeed(await stored(id, change.entries)) : added
    },

    async update(id, change) {
      const [row] = await db.select().from(watchlists).where(eq(watchlists.id, id))
      if (row === undefined || row.kind !== change.kind) return failWith('not_found')
      if ((await secrets.state()) !== 'ready') return failWith('secrets')
      const before = await opened(row)
      const sealed = sealedOf(change, before)
      const isFile = change.address === undefined && change.entries === undefined && row.host === ''
      const columns = await columnsOf(id, change, sealed)
      const isElsewhere =
        sealed.address !== before?.address || change.account !== row.account || change.list !== row.list
      const changed = await named(() =>
        db
          .update(watchlists)
          .set({
            ...columns,
            ...(isFile ? { host: '' } : {}),
            // Another list is looked at for the first time, and knows no mark of the one before.
            ...(isElsewhere ? { primed: false, etag: '', lastModified: '' } : {}),
            run: sql`${watchlists.run} + 1`,
          })
          .where(eq(watchlists.id, id)),
      )
      return changed.ok ? succeed(await stored(id, change.entries)) : changed
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(watchlists).where(eq(watchlists.id, id)).returning({ id: watchlists.id }),
        db.delete(watchlistItems).where(eq(watchlistItems.listId, id)),
      ])
      return removed.length > 0
    },

    async runSoon(id) {
      const rows = await db
        .update(watchlists)
        .set({ dueAtUnix: now() })
        .where(and(eq(watchlists.id, id), isRead))
        .returning({ id: watchlists.id })
      if (rows.length > 0) await soon()
      return rows.length > 0
    },

    async items({ listId, status, beforeId }) {
      const rows = await db
        .select({ item: watchlistItems, list: watchlists.name })
        .from(watchlistItems)
        .innerJoin(watchlists, eq(watchlists.id, watchlistItems.listId))
        .where(
          and(
            listId === undefined ? undefined : eq(watchlistItems.listId, listId),
            status === undefined ? undefined : eq(watchlistItems.status, status),
            beforeId === undefined ? undefined : lt(watchlistItems.id, beforeId),
          ),
        )
        .orderBy(desc(watchlistItems.id))
        .limit(watchlistItemsShown)
      return rows.map(({ item, list: name }) => toItem(item, name))
    },

    async choose(itemId, { mediaType, tmdbId }) {
      const one = and(eq(watchlistItems.id, itemId), isOpen)
      const [item] = await db.select().from(watchlistItems).where(one)
      if (item === undefined) return false
      const entry: ListEntry = { ...(JSON.parse(item.entry) as ListEntry), mediaType, tmdbId }
      await db
        .update(watchlistItems)
        .set({ entry: JSON.stringify(entry), status: 'waiting', choices: '', reason: '' })
        .where(one)
      await soon()
      return true
    },

    async leave(itemId) {
      const one = and(eq(watchlistItems.id, itemId), isOpen)
      const rows = await db
        .update(watchlistItems)
        .set({ status: 'left', decidedAtUnix: now() })
        .where(one)
        .returning({ id: watchlistItems.id })
      return rows.length > 0
    },

    async begin() {
      const [first] = await db
        .select({ id: watchlists.id, run: watchlists.run, everyMinutes: watchlists.everyMinutes })
        .from(watchlists)
        .where(and(isRead, lte(watchlists.dueAtUnix, now())))
        .orderBy(asc(watchlists.dueAtUnix), asc(watchlists.id))
        .limit(1)
      if (first === undefined) return undefined
      const [row] = await db
        .update(watchlists)
        // One that is cut off is made up for before long.
        .set({ run: first.run + 1, dueAtUnix: now() + first.everyMinutes * 60 })
        .where(and(eq(watchlists.id, first.id), eq(watchlists.run, first.run)))
        .returning()
      return row
    },

    async place(row) {
      const sealed = await opened(row)
      if (sealed === undefined) return undefined
      const { kind, account, list: listName, etag, lastModified } = row
      return { kind, account, list: listName, etag, lastModified, ...sealed }
    },

    async tried(place, id) {
      const [row] = id === undefined ? [] : await db.select().from(watchlists).where(eq(watchlists.id, id))
      if (id !== undefined && row === undefined) return undefined
      const present = row === undefined ? undefined : await opened(row)
      const { kind, account, list: listName } = place
      return { kind, account, list: listName, etag: '', lastModified: '', ...sealedOf(place, present) }
    },

    async note(row, entries, marks) {
      const isMine = and(eq(watchlists.id, row.id), eq(watchlists.run, row.run))
      const [present] = await db.select({ id: watchlists.id }).from(watchlists).where(isMine)
      if (present === undefined) return
      await noted(row, entries)
      // Once all of it is noted: a first look that is cut off is a first look again.
      await db
        .update(watchlists)
        .set({ primed: true, ...marks })
        .where(isMine)
    },

    async finish(row, { fault, note }, random) {
      const failures = fault === undefined ? 0 : row.failures + 1
      const everySeconds = row.everyMinutes * 60
      const backOff = Math.min(everySeconds * 2 ** Math.min(failures, 10), watchlistBackOffSecondsMax)
      const waitSeconds = failures === 0 ? everySeconds : Math.max(everySeconds, backOff)
      const nextUnix = now() + Math.floor(waitSeconds * (1 + jobJitterShare * random))
      await db
        .update(watchlists)
        .set({
          failures,
          lastReason: storeReason(fault ?? note),
          lastAtUnix: now(),
          dueAtUnix: dueAfterRun(watchlists, row, nextUnix),
        })
        .where(and(eq(watchlists.id, row.id), eq(watchlists.run, row.run)))
    },

    async waiting(limit) {
      return db
        .select({ item: watchlistItems, list: watchlists })
        .from(watchlistItems)
        .innerJoin(watchlists, and(eq(watchlists.id, watchlistItems.listId), eq(watchlists.enabled, true)))
        .where(eq(watchlistItems.status, 'waiting'))
        .orderBy(asc(watchlistItems.id))
        .limit(limit)
    },

    async decide(item, { status, title, choices = [], subscriptionId, reason }) {
      await db
        .update(watchlistItems)
        .set({
          status,
          mediaType: title?.mediaType ?? null,
          tmdbId: title?.id ?? null,
          subscriptionId: subscriptionId ?? null,
          choices: choices.length === 0 ? '' : JSON.stringify(choices),
          reason: storeReason(reason),
          decidedAtUnix: now(),
        })
        // What the owner said meanwhile stays.
        .where(
          and(
            eq(watchlistItems.id, item.id),
            eq(watchlistItems.status, 'waiting'),
            eq(watchlistItems.entry, item.entry),
          ),
        )
    },

    async nextDue(moreSeconds) {
      const [row] = await db
        .select({ dueAtUnix: sql<number | null>`min(${watchlists.dueAtUnix})` })
        .from(watchlists)
        .where(isRead)
      const [left] = await db
        .select({ many: count() })
        .from(watchlistItems)
        .innerJoin(watchlists, and(eq(watchlists.id, watchlistItems.listId), eq(watchlists.enabled, true)))
        .where(eq(watchlistItems.status, 'waiting'))
      const times = [
        ...(row?.dueAtUnix == null ? [] : [row.dueAtUnix]),
        ...((left?.many ?? 0) === 0 ? [] : [now() + moreSeconds]),
      ]
      return times.length === 0 ? undefined : Math.min(...times)
    },
  }
}

function toItem(item: WatchlistItemRow, list: string): WatchlistItem {
  const reason = readReason(item.reason)
  return {
    id: item.id,
    listId: item.listId,
    list,
    entry: JSON.parse(item.entry) as ListEntry,
    status: item.status,
    ...(item.mediaType === null ? {} : { mediaType: item.mediaType }),
    ...(item.tmdbId === null ? {} : { tmdbId: item.tmdbId }),
    ...(item.subscriptionId === null ? {} : { subscriptionId: item.subscriptionId }),
    choices: item.choices === '' ? [] : (JSON.parse(item.choices) as Title[]),
    ...(reason === undefined ? {} : { reason }),
    foundAtUnix: item.foundAtUnix,
    decidedAtUnix: item.decidedAtUnix,
  }
}
