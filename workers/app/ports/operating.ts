import type { Result } from '#shared/kernel/result.ts'
import type { BackupFault, BackupShelf, KeptBackup, MachineReport } from '../core/operating/machine.ts'
import type { OperatingFigures } from '../core/operating/metric-families.ts'

/** What monitors are told of the service's own work. */
export interface OperatingStore {
  /** Rejects when the database does not answer. */
  answers(): Promise<void>
  figures(): Promise<OperatingFigures>
}

/** The host on one's own machine. */
export interface MachineService {
  /** Undefined at the edge. */
  report(): Promise<MachineReport | undefined>
  /** Undefined at the edge. */
  backups(): Promise<BackupShelf | undefined>
  makeBackup(): Promise<Result<KeptBackup, BackupFault>>
  /** Unpacks and opens it. */
  readBack(name: string): Promise<Result<NonNullable<KeptBackup['readBack']>, BackupFault>>
  /** Has the host join the channels there are now, and leave the others. False where none can be joined. */
  joinChannels(): Promise<boolean>
  /** Undefined for one that there is not. */
  openBackup(name: string): Promise<{ readonly bytes: number; readonly content: ReadableStream } | undefined>
}

/** The description of an interface, or undefined where the pages hold none. Without a body it is what the caller knows. */
export type InterfaceDocument = (
  which: 'app' | 'settings',
  knownEtag: string | undefined,
) => Promise<{ readonly etag: string | undefined; readonly body?: ReadableStream } | undefined>
