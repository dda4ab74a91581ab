import { type Failure, failure } from '../core/failure.ts'
import { describeServiceFault, type ServiceFault } from '../core/service-fault.ts'

/** What a caller is told when the metadata provider did not answer as it should. */
export function metadataFailure(fault: ServiceFault): Failure {
  const message = describeServiceFault('metadata', fault)
  if (fault.kind === 'rate_limited')
    return { ...failure('rate_limited', message), retryAfterSeconds: fault.retryAfterSeconds }
  if (fault.kind === 'not_set_up') return failure('invalid_argument', message)
  return failure(fault.kind === 'secrets' ? 'unavailable' : 'upstream', message)
}
