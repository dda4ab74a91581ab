/** Files as they lie, folder by folder. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { TreeAnswer } from '../../contract/wire.ts'
import { notFound } from '../../core/failure.ts'
import { folderOf } from '../../core/file-tree.ts'
import { trimRoot } from '../../core/module-map.ts'
import { integerParameter, textParameter } from '../../core/parameters.ts'
import { textCharsMax, treeLimitDefault, treeLimitMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { flatten } from './flatten.ts'
import { indexOf, timing } from './overview-routes.ts'

export function treeRoutes(deps: Pick<ViewerDeps, 'index'>): Hono {
  const router = new Hono()
  router.get('/api/tree', (c) => {
    const started = performance.now()
    return answerWith<TreeAnswer>(
      flatten(
        deps.index.use(({ reader }) => {
          const parameters = parametersOf(c)
          const given = textParameter(parameters, 'folder', textCharsMax)
          if (!given.ok) return given
          const limit = integerParameter(parameters, 'limit', 1, treeLimitMax)
          if (!limit.ok) return limit
          const name = trimRoot(given.value ?? '')
          const folder = folderOf(reader.files(), reader.leftOut(), name, limit.value ?? treeLimitDefault)
          if (folder === undefined) return notFound(`the index has nothing in the folder "${name.slice(0, 200)}"`)
          return succeed({ ...folder, index: indexOf(reader), timing: timing(started, false) })
        }),
      ),
    )
  })
  return router
}
