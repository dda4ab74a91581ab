import { type Failure, failure } from '../core/failure.ts'
import { serviceReason } from '../core/reason/of-fault.ts'
import type { ServiceFault } from '../core/service-fault.ts'

/** What a caller is told when the metadata provider did not answer as it should. */
export function metadataFailure(fault: ServiceFault): Failure {
  const reason = serviceReason('metadata', fault)
  if (fault.kind === 'rate_limited')
    return { ...failure('rate_limited', reason), retryAfterSeconds: fault.retryAfterSeconds }
  if (fault.kind === 'not_set_up') return failure('invalid_argument', reason)
  return failure(fault.kind === 'secrets' ? 'unavailable' : 'upstream', reason)
}
