import { type Failure, failure } from '../core/failure.ts'
import type { PushFailure } from '../core/push-fault.ts'
import { pushReason } from '../core/reason/of-fault.ts'

const codes = { busy: 'busy_conflict', interrupted: 'internal', download: 'download_failed' } as const

/** Of a push that came to no outcome. */
export function pushFailure(pushed: PushFailure): Failure {
  return failure(codes[pushed.kind], pushReason(pushed))
}
