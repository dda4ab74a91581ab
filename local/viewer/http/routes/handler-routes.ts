/** What the project's frameworks call. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { HandlersAnswer } from '../../contract/wire.ts'
import { integerParameter } from '../../core/parameters.ts'
import { urlHandlers } from '../../core/url-handlers.ts'
import { handlersLimitDefault, handlersLimitMax, urlBounds } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { flatten } from './flatten.ts'
import { indexOf, textsOf, timing } from './overview-routes.ts'

export function handlerRoutes(deps: Pick<ViewerDeps, 'index' | 'sources'>): Hono {
  const router = new Hono()
  router.get('/api/handlers', (c) => {
    const started = performance.now()
    return answerWith<HandlersAnswer>(
      flatten(
        deps.index.use((index) => {
          const limit = integerParameter(parametersOf(c), 'limit', 1, handlersLimitMax)
          if (!limit.ok) return limit
          const count = limit.value ?? handlersLimitDefault
          const { value, cached } = index.remember(`handlers ${count}`, () =>
            urlHandlers(index.reader, count, textsOf(deps), urlBounds),
          )
          return succeed({ ...value, index: indexOf(index.reader), timing: timing(started, cached) })
        }),
      ),
    )
  })
  return router
}
