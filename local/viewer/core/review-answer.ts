/** A review as the page asks for it. */
import type { ReviewAnswer } from '../contract/wire.ts'
import { listOf } from './graph-shapes.ts'
import type { AffectedSymbol, Review } from './review.ts'

export function reviewAnswer(review: Review, limit: number): Omit<ReviewAnswer, 'timing'> {
  const affected = ({ isCertain: certain, ...one }: AffectedSymbol) => ({ ...one, certain })
  return {
    range: review.range,
    owners: listOf(review.owners, limit),
    contracts: listOf(review.contracts, limit),
    changed: listOf(
      review.changed.map(({ isExported: exported, ...one }) => ({ ...one, exported })),
      limit,
    ),
    untested: review.changed.filter((one) => one.tested === 'no').length,
    // The review itself keeps so many of them.
    affected: { ...listOf(review.affected.items.map(affected), limit), ...shownOf(review, limit) },
    routes: listOf(review.routes.map(affected), limit),
    tests: listOf(
      review.tests.map(({ isCertain: certain, ...one }) => ({ ...one, certain })),
      limit,
    ),
    newlyDead: listOf(
      review.newlyDead.map(({ isNew: fresh, ...one }) => ({ ...one, fresh })),
      limit,
    ),
    newlyCircular: listOf(review.newlyCircular, limit),
    notIndexed: listOf(review.notIndexed, limit),
  }
}

function shownOf({ affected }: Review, limit: number): { readonly total: number; readonly truncated: boolean } {
  return { total: affected.total, truncated: affected.total > Math.min(limit, affected.items.length) }
}
