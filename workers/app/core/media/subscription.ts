import type { SubscriptionStatus } from '../vocabulary.ts'

/** What is not out yet waits for its day; of what nobody dates it is not known, so it is looked for. */
export function firstStatus(releasedOn: string | undefined, today: string): SubscriptionStatus {
  return releasedOn !== undefined && releasedOn > today ? 'pending' : 'active'
}
