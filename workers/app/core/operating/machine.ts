/** What the host on one's own machine says of itself; nobody else has one. */
import type { ReasonOf } from '../reason/reason.ts'
import type { BackupTrouble } from './backup-trouble.ts'

export type MachineProblem = ReasonOf<
  | 'machine.disk_full'
  | 'machine.disk_unwritable'
  | 'machine.disk_low'
  | 'machine.database_damaged'
  | 'machine.journal_cut'
  | 'machine.clock_behind'
  | 'machine.clock_ahead'
  | 'machine.network_lost'
  | 'backup.not_made'
  | 'backup.not_sent'
>

/** Why a backup was made. */
export const backupReasons = ['asked', 'daily', 'before_migration'] as const
export type BackupReason = (typeof backupReasons)[number]

export interface KeptBackup {
  readonly name: string
  readonly atUnix: number
  readonly reason: BackupReason
  readonly bytes: number
  readonly isSealed: boolean
  /** Whether it is in the bucket as well; left out where there is none. */
  readonly isAway?: boolean
  /** What came of it when it was last unpacked and opened. */
  readonly readBack?: { readonly atUnix: number; readonly rows?: number; readonly fault?: BackupTrouble }
}

export interface BackupShelf {
  readonly folder: string
  /** Made by themselves. */
  readonly isAutomatic: boolean
  /** Newest first. */
  readonly items: readonly KeptBackup[]
  /** Where they are sent to, how many are there, and since when that is known; `fault`: why it could not be done last. */
  readonly bucket?: {
    readonly address: string
    readonly count: number
    readonly atUnix?: number
    readonly fault?: BackupTrouble
  }
}

/** `none`: there is no such backup, or no machine to keep one. */
export type BackupFault =
  | { readonly kind: 'busy' | 'none' }
  | { readonly kind: 'failed'; readonly trouble: BackupTrouble }

export interface MachineReport {
  readonly runtime: 'node' | 'workerd'
  readonly startedAtUnix: number
  /** By which a phone on the same network or outside reaches it, the best first; none where it is on this machine alone. */
  readonly addresses: readonly string[]
  readonly backups: { readonly count: number; readonly bytes: number; readonly newestAtUnix?: number }
  readonly migrations: { readonly applied: number; readonly missing: readonly string[] }
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number }
  /** Of the main database, and of all objects together. */
  readonly databases: { readonly mainBytes: number; readonly objectBytes: number; readonly objects: number }
  /** Of the host's process. */
  readonly residentBytes: number
  readonly problems: readonly MachineProblem[]
}

/** What keeps the service from storing; the others are for the owner to look at. */
const stoppers: ReadonlySet<MachineProblem['kind']> = new Set([
  'machine.disk_full',
  'machine.disk_unwritable',
  'machine.database_damaged',
])

export function keepsFromServing({ kind }: MachineProblem): boolean {
  return stoppers.has(kind)
}
