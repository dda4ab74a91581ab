import type { Reason } from '../core/reason/reason.ts'
import type { FolderMapping, TransferState } from '../core/transfers/transfer.ts'

export interface Transfer {
  readonly id: number
  readonly fromId: number
  /** As they are called now; empty once they are gone. */
  readonly from: string
  readonly toId: number
  readonly to: string
  readonly infoHash: string
  readonly title: string
  readonly sizeBytes: number
  readonly state: TransferState
  readonly isStopped: boolean
  readonly reason?: Reason
  readonly createdAtUnix: number
  readonly sinceUnix: number
}

export interface TransferOrder {
  readonly fromId: number
  readonly toId: number
  readonly folder: FolderMapping
  readonly torrents: readonly { readonly infoHash: string; readonly title: string; readonly sizeBytes: number }[]
}

export interface Transfers {
  /** Open ones first, then the newest. */
  list(): Promise<Transfer[]>
  /** How many began; one that is moving already is not begun again. Undefined when there would be too many. */
  begin(order: TransferOrder): Promise<number | undefined>
  /** Before its switch it stays where it was. False when there is none that is open. */
  stop(id: number): Promise<boolean>
}
