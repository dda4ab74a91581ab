/** What a change of the work tree does to the rest. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { ReviewAnswer } from '../../contract/wire.ts'
import { integerParameter, textParameter } from '../../core/parameters.ts'
import { reviewRangeCharsMax } from '../../core/review.ts'
import { reviewAnswer } from '../../core/review-answer.ts'
import { reviewLimitDefault, reviewLimitMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { review } from '../../review.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { timing } from './overview-routes.ts'

export function reviewRoutes(deps: Pick<ViewerDeps, 'index' | 'sources' | 'changes'>): Hono {
  const router = new Hono()
  router.get('/api/review', (c) => {
    const started = performance.now()
    const parameters = parametersOf(c)
    const range = textParameter(parameters, 'range', reviewRangeCharsMax)
    if (!range.ok) return answerWith(range)
    const limit = integerParameter(parameters, 'limit', 1, reviewLimitMax)
    if (!limit.ok) return answerWith(limit)
    const found = review(deps, range.value?.trim() || 'HEAD')
    if (!found.ok) return answerWith(found)
    const body = reviewAnswer(found.value, limit.value ?? reviewLimitDefault)
    return answerWith<ReviewAnswer>(succeed({ ...body, timing: timing(started, false) }))
  })
  return router
}
