import type { AuditAbout } from '../core/audit-about.ts'
import type { Reason } from '../core/reason/reason.ts'

interface AuditEntry {
  readonly id: number
  readonly atUnix: number
  readonly channel: string
  readonly user: string
  readonly command: string
  readonly result: string
  readonly status?: number
  readonly reason?: Reason
  readonly about?: AuditAbout
  readonly latencyMs?: number
}

interface AuditOutcome {
  readonly result: string
  readonly status: number
  readonly latencyMs: number
  readonly reason?: Reason
  readonly about?: AuditAbout
}

export interface AuditLog {
  /** Records the intent before anything takes effect. Rejects when it cannot be written: then nothing may happen. */
  begin(entry: { channel: string; user: string; command: string; requestId: string }): Promise<number>
  finish(id: number, outcome: AuditOutcome): Promise<void>
  /** Newest first. */
  page(page: number, pageSize: number): Promise<{ items: AuditEntry[]; total: number }>
}
