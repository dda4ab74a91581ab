import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { InfoHashes } from '../../core/downloader.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { FolderMapping, TransferState } from '../../core/transfers/transfer.ts'
import { transfersKept, transfersOpenMax, transfersPerLookMax, transfersShown } from '../../limits.ts'
import type { Transfer, TransferOrder } from '../../ports/transfers.ts'
import { downloaders } from './schema/downloaders.ts'
import { pushRecords } from './schema/pushes.ts'
import { transfers } from './schema/transfers.ts'

export interface OpenTransfer {
  readonly id: number
  readonly fromId: number
  readonly toId: number
  readonly infoHash: string
  /** Under which the other downloader may show it. */
  readonly otherHashes: InfoHashes
  readonly folder: FolderMapping
  readonly state: Exclude<TransferState, 'done' | 'failed'>
  readonly wasPaused: boolean
  readonly attempts: number
  readonly isStopped: boolean
  readonly sinceUnix: number
}

export interface TransferStore {
  list(): Promise<Transfer[]>
  /** Undefined, and nothing is written, when there would be too many. */
  add(order: TransferOrder): Promise<number | undefined>
  /** Marks one that is not switching yet. */
  stop(id: number): Promise<boolean>
  /** Those whose turn it is: the longest untouched first. */
  open(): Promise<OpenTransfer[]>
  isAnyOpen(): Promise<boolean>
  enter(id: number, state: TransferState, reason?: Reason): Promise<void>
  notePaused(id: number): Promise<void>
  noteHashes(id: number, infoHashes: InfoHashes): Promise<void>
  /** A step that is to be tried again; gives back how often that was. */
  retry(id: number, reason: Reason): Promise<number>
  /** From which site it was pushed into that downloader. */
  pushOf(
    downloaderId: number,
    infoHash: string,
  ): Promise<{ readonly site: string; readonly torrentId: string } | undefined>
  /** Its push is from now on one of the other downloader. */
  movePush(downloaderId: number, infoHash: string, to: { readonly id: number; readonly name: string }): Promise<void>
}

const openStates = ['waiting', 'adding', 'checking', 'switching'] as const
const hasHash = (infoHash: string) => sql`instr(',' || ${pushRecords.infoHashes} || ',', ',' || ${infoHash} || ',') > 0`

export function createTransferStore(db: DrizzleD1Database, clock: Clock): TransferStore {
  const isOpen = inArray(transfers.state, openStates)
  const from = alias(downloaders, 'from_downloader')
  const to = alias(downloaders, 'to_downloader')

  return {
    async list() {
      const rows = await db
        .select({ row: transfers, from: from.name, to: to.name })
        .from(transfers)
        .leftJoin(from, eq(from.id, transfers.fromId))
        .leftJoin(to, eq(to.id, transfers.toId))
        .orderBy(sql`${transfers.state} in ('waiting', 'adding', 'checking', 'switching') desc`, desc(transfers.id))
        .limit(transfersShown)
      return rows.map(({ row, ...names }) => {
        const reason = readReason(row.reason)
        return {
          id: row.id,
          fromId: row.fromId,
          from: names.from ?? '',
          toId: row.toId,
          to: names.to ?? '',
          infoHash: row.infoHash,
          title: row.title,
          sizeBytes: row.sizeBytes,
          state: row.state,
          isStopped: row.isStopped,
          ...(reason === undefined ? {} : { reason }),
          createdAtUnix: row.createdAtUnix,
          sinceUnix: row.sinceUnix,
        }
      })
    },

    async add({ fromId, toId, folder, torrents }) {
      const [present] = await db.select({ count: count() }).from(transfers).where(isOpen)
      if ((present?.count ?? 0) + torrents.length > transfersOpenMax) return undefined
      const nowUnix = unixSeconds(clock)
      let begun = 0
      for (const torrent of torrents) {
        const added = await db
          .insert(transfers)
          .values({
            ...{ ...torrent, fromId, toId, folderFrom: folder.from, folderTo: folder.to },
            ...{ state: 'waiting', createdAtUnix: nowUnix, sinceUnix: nowUnix },
          })
          .onConflictDoNothing()
          .returning({ id: transfers.id })
        begun += added.length
        const id = added[0]?.id
        if (id !== undefined)
          await db
            .delete(transfers)
            .where(and(lt(transfers.id, id - transfersKept), inArray(transfers.state, ['done', 'failed'])))
      }
      return begun
    },

    async stop(id) {
      const stopped = await db
        .update(transfers)
        .set({ isStopped: true })
        .where(and(eq(transfers.id, id), inArray(transfers.state, ['waiting', 'adding', 'checking'])))
        .returning({ id: transfers.id })
      return stopped.length > 0
    },

    async open() {
      const rows = await db
        .select()
        .from(transfers)
        .where(isOpen)
        // What is further along goes first: it is nearer to being one torrent again.
        .orderBy(sql`${transfers.state} = 'switching' desc`, asc(transfers.attempts), asc(transfers.id))
        .limit(transfersPerLookMax)
      return rows.map(({ folderFrom, folderTo, state, otherHashes, ...row }) => ({
        ...row,
        otherHashes: [
          row.infoHash,
          ...otherHashes.split(',').filter((one) => one !== '' && one !== row.infoHash),
        ] as const,
        folder: { from: folderFrom, to: folderTo },
        state: state as OpenTransfer['state'],
      }))
    },

    async isAnyOpen() {
      return (await db.select({ id: transfers.id }).from(transfers).where(isOpen).limit(1)).length > 0
    },

    async enter(id, state, reason) {
      await db
        .update(transfers)
        .set({ state, attempts: 0, reason: storeReason(reason), sinceUnix: unixSeconds(clock) })
        .where(eq(transfers.id, id))
    },

    async notePaused(id) {
      await db.update(transfers).set({ wasPaused: true }).where(eq(transfers.id, id))
    },

    async noteHashes(id, infoHashes) {
      await db
        .update(transfers)
        .set({ otherHashes: infoHashes.join(',') })
        .where(eq(transfers.id, id))
    },

    async retry(id, reason) {
      const [row] = await db
        .update(transfers)
        .set({ attempts: sql`${transfers.attempts} + 1`, reason: storeReason(reason) })
        .where(eq(transfers.id, id))
        .returning({ attempts: transfers.attempts })
      return row?.attempts ?? 0
    },

    async pushOf(downloaderId, infoHash) {
      const [row] = await db
        .select({ site: pushRecords.site, torrentId: pushRecords.torrentId })
        .from(pushRecords)
        .where(and(eq(pushRecords.downloaderId, downloaderId), hasHash(infoHash)))
        .orderBy(desc(pushRecords.id))
        .limit(1)
      return row
    },

    async movePush(downloaderId, infoHash, { id, name }) {
      await db
        .update(pushRecords)
        .set({ downloaderId: id, downloader: name, source: 'transfer', missingSinceUnix: null })
        .where(and(eq(pushRecords.downloaderId, downloaderId), hasHash(infoHash)))
    },
  }
}
