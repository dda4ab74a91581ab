/** What is done through the interface is written down: before it takes effect, and how it ended. */
import { failWith, type Result } from '#shared/kernel/result.ts'
import type { RouteDeclaration } from '../contract/route.ts'
import { type AuditAbout, auditAbout } from '../core/audit-about.ts'
import { type Failure, failure } from '../core/failure.ts'
import { storageReasonOf } from '../core/operating/storage-fault.ts'
import type { Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import { auditAboutBounds } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { FinishedJson, type Reply } from './bind.ts'

type Outcome = Result<Reply<RouteDeclaration>, Failure>

interface Written {
  readonly channel: Principal['kind']
  readonly user: string
  /** Method and route pattern, never the path as sent. */
  readonly command: string
  readonly requestId: string
}

/** What a token, a device or the owner does leaves a trace; what is read or tried out leaves none. */
export function isWrittenDown({ permission, method, isTrial }: RouteDeclaration, { kind }: Principal): boolean {
  if (permission === 'operate') return true
  const isChange = method !== 'get'
  return kind === 'session'
    ? isChange && isTrial !== true && permission !== 'read'
    : isChange && permission === 'configure'
}

/**
 * Records what is about to be done, refused calls included, and how it ended. Of a token or device nothing happens without
 * the first record: an action that left no trace is worse than one that has to be repeated. The owner is not kept from
 * making room on a full disk, or from signing everything out.
 */
export async function audited(
  deps: Pick<AppDeps, 'audit' | 'background' | 'clock' | 'logger'>,
  written: Written,
  call: { readonly run: () => Promise<Outcome>; readonly answer: (result: Outcome) => Response },
): Promise<Response> {
  const startedMs = deps.clock.nowMs()
  const { requestId } = written
  let entry: number | undefined
  try {
    entry = await deps.audit.begin(written)
  } catch (cause) {
    deps.logger.error('audit_unavailable', { request_id: requestId, cause })
    if (written.channel !== 'session')
      return call.answer(failWith(failure('unavailable', storageReasonOf(cause) ?? { kind: 'audit_unavailable' })))
  }
  let outcome: { result: string; status: number; reason?: Reason; about?: AuditAbout } = {
    result: 'error',
    status: 500,
  }
  try {
    const result = await call.run()
    const response = call.answer(result)
    const isError = response.status >= 400
    const reason = result.ok ? result.value.auditReason : result.failure.reason
    const about = result.ok ? aboutOf(result.value) : undefined
    outcome = {
      ...(reason === undefined ? {} : { reason }),
      ...(about === undefined ? {} : { about }),
      result: isError ? 'error' : ((result.ok ? result.value.auditResult : undefined) ?? 'ok'),
      status: response.status,
    }
    return response
  } finally {
    if (entry !== undefined) {
      const finished = deps.audit.finish(entry, { ...outcome, latencyMs: deps.clock.nowMs() - startedMs })
      deps.background.run(
        finished.catch((cause) => deps.logger.error('audit_unfinished', { request_id: requestId, cause })),
      )
    }
  }
}

/** What the handler says it was about, else the name or title of what it answers with. */
function aboutOf({ audited: said, body }: Reply<RouteDeclaration>): AuditAbout | undefined {
  if (said !== undefined) return auditAbout(said, auditAboutBounds)
  if (typeof body !== 'object' || body === null || body instanceof FinishedJson) return undefined
  for (const field of ['name', 'title'] as const) {
    const named: unknown = Reflect.get(body, field)
    if (typeof named === 'string') return auditAbout({ names: [named] }, auditAboutBounds)
  }
  return undefined
}
