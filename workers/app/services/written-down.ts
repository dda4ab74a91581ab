/** An act that no route writes down: a record before it, and how it ended, on what it was. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { AuditAbout } from '../core/audit-about.ts'
import { storageReasonOf } from '../core/operating/storage-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import type { Logger } from '../ports/runtime.ts'

export interface AuditDeps {
  readonly audit: Pick<AuditLog, 'begin' | 'finish'>
  readonly clock: Clock
  readonly logger: Logger
}

interface Ended {
  readonly result: 'ok' | 'error' | `error:${string}`
  readonly status: number
  readonly reason?: Reason | undefined
  readonly about?: AuditAbout | undefined
}

/** Without the first record, whose id the act is told, nothing happens. One that throws ended in an error. */
export async function writtenDown<T>(
  { audit, clock, logger }: AuditDeps,
  entry: Parameters<AuditLog['begin']>[0],
  act: (id: number) => Promise<T>,
  endedAs: (outcome: T) => Ended,
): Promise<Result<T, Reason>> {
  const startedMs = clock.nowMs()
  let id: number
  try {
    id = await audit.begin(entry)
  } catch (cause) {
    logger.error('audit_unavailable', { request_id: entry.requestId, cause })
    return failWith(storageReasonOf(cause) ?? { kind: 'audit_unavailable' })
  }
  let ended: Ended = { result: 'error', status: 500 }
  try {
    const outcome = await act(id)
    ended = endedAs(outcome)
    return succeed(outcome)
  } finally {
    const { result, status, reason, about } = ended
    await audit
      .finish(id, {
        result,
        status,
        latencyMs: clock.nowMs() - startedMs,
        ...(reason === undefined ? {} : { reason }),
        ...(about === undefined ? {} : { about }),
      })
      .catch((cause) => logger.error('audit_unfinished', { request_id: entry.requestId, cause }))
  }
}

/** What the service did by itself, on one thing that it knows by a number. */
export function ownEntry(command: string, id: number): Parameters<AuditLog['begin']>[0] {
  return { channel: 'service', user: 'Wharf', command, requestId: `${command}-${id}` }
}
