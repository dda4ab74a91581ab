/** How right the index is, as far as compilers have said. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { AccuracyAnswer } from '../../contract/wire.ts'
import { accuracyOf } from '../../core/accuracy.ts'
import { integerParameter } from '../../core/parameters.ts'
import { accuracyLimitDefault, accuracyLimitMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { flatten } from './flatten.ts'
import { indexOf, timing } from './overview-routes.ts'

export function accuracyRoutes(deps: Pick<ViewerDeps, 'index' | 'proofs' | 'background'>): Hono {
  const router = new Hono()
  router.get('/api/accuracy', (c) => {
    const started = performance.now()
    return answerWith<AccuracyAnswer>(
      flatten(
        deps.index.use((index) => {
          const limit = integerParameter(parametersOf(c), 'limit', 1, accuracyLimitMax)
          if (!limit.ok) return limit
          const count = limit.value ?? accuracyLimitDefault
          const { files, check } = deps.proofs()
          const { value, cached } = index.remember(`accuracy ${count}`, () =>
            accuracyOf(index.reader, files(), check(), count),
          )
          const checking = deps.background?.isRunning === true
          return succeed({ ...value, checking, index: indexOf(index.reader), timing: timing(started, cached) })
        }),
      ),
    )
  })
  return router
}
