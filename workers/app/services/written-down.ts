/** An act that no route writes down: a record before it, and how it ended, on what it was. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { AuditAbout } from '../core/audit-about.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import type { Logger } from '../ports/runtime.ts'

interface Ended {
  readonly isError: boolean
  readonly status: number
  readonly reason?: Reason | undefined
  readonly about?: AuditAbout | undefined
}

/** Without the first record nothing happens. One that throws ended in an error. */
export async function writtenDown<T>(
  deps: { readonly audit: AuditLog; readonly clock: Clock; readonly logger: Logger },
  entry: Parameters<AuditLog['begin']>[0],
  act: () => Promise<T>,
  endedAs: (outcome: T) => Ended,
): Promise<Result<T, Reason>> {
  const { audit, clock, logger } = deps
  const startedMs = clock.nowMs()
  let id: number
  try {
    id = await audit.begin(entry)
  } catch (cause) {
    logger.error('audit_unavailable', { request_id: entry.requestId, cause })
    return failWith({ kind: 'audit_unavailable' })
  }
  let ended: Ended = { isError: true, status: 500 }
  try {
    const outcome = await act()
    ended = endedAs(outcome)
    return succeed(outcome)
  } finally {
    const { isError, status, reason, about } = ended
    await audit
      .finish(id, {
        result: isError ? 'error' : 'ok',
        status,
        latencyMs: clock.nowMs() - startedMs,
        ...(reason === undefined ? {} : { reason }),
        ...(about === undefined ? {} : { about }),
      })
      .catch((cause) => logger.error('audit_unfinished', { request_id: entry.requestId, cause }))
  }
}
