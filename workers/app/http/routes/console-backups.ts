import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  downloadBackup,
  listBackups,
  makeBackup,
  readBackBackup,
  type WireBackup,
  type WireBackupList,
  type WireReadBack,
} from '../../contract/console-backups.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { BackupFault, BackupShelf, KeptBackup } from '../../core/operating/machine.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noBackup = failure('not_found', { kind: 'none', what: 'backup' })

export function consoleBackupRoutes(deps: Pick<AppDeps, 'machine'>): BoundRoute[] {
  const { machine } = deps
  return [
    bind(listBackups, async () => {
      const shelf = await machine.backups()
      if (shelf === undefined) return succeed({ body: { own_machine: false, automatic: false, items: [] } })
      return succeed({ body: toWireShelf(shelf) })
    }),
    bind(makeBackup, async () => {
      const made = await machine.makeBackup()
      return made.ok ? succeed({ body: toWireBackup(made.value) }) : failWith(refusalOf(made.failure))
    }),
    bind(readBackBackup, async ({ params }) => {
      const read = await machine.readBack(params.name)
      return read.ok ? succeed({ body: toWireReadBack(read.value) }) : failWith(refusalOf(read.failure))
    }),
    bind(downloadBackup, async ({ params }) => {
      const opened = await machine.openBackup(params.name)
      if (opened === undefined) return failWith(noBackup)
      return succeed({
        body: opened.content,
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(opened.bytes),
          // The host's own name of it: letters, digits, and marks that need no quoting.
          'content-disposition': `attachment; filename="${params.name}"`,
        },
      })
    }),
  ]
}

function refusalOf(fault: BackupFault): Failure {
  if (fault.kind === 'failed') return failure('unavailable', { kind: 'backup.failed', trouble: fault.trouble })
  return fault.kind === 'busy' ? failure('busy_conflict', { kind: 'backup.busy' }) : noBackup
}

function toWireShelf({ folder, isAutomatic, items, bucket }: BackupShelf): WireBackupList {
  const list = { own_machine: true, automatic: isAutomatic, folder, items: items.map(toWireBackup) }
  if (bucket === undefined) return list
  const { atUnix, fault, ...told } = bucket
  return {
    ...list,
    bucket: {
      ...told,
      ...(atUnix === undefined ? {} : { at: atUnix }),
      ...(fault === undefined ? {} : { reason: { kind: 'backup.not_sent' as const, trouble: fault } }),
    },
  }
}

function toWireBackup({ name, atUnix, reason, bytes, isSealed, isAway, readBack }: KeptBackup): WireBackup {
  return {
    name,
    at: atUnix,
    why: reason,
    bytes,
    sealed: isSealed,
    ...(isAway === undefined ? {} : { away: isAway }),
    ...(readBack === undefined ? {} : { read_back: toWireReadBack(readBack) }),
  }
}

function toWireReadBack({ atUnix, rows, fault }: NonNullable<KeptBackup['readBack']>): WireReadBack {
  return {
    at: atUnix,
    ok: fault === undefined,
    ...(rows === undefined ? {} : { rows }),
    ...(fault === undefined ? {} : { reason: { kind: 'backup.not_whole' as const, trouble: fault } }),
  }
}
