/** Questions about symbols: search, one symbol, several by id. */
import { Hono } from 'hono/tiny'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { NodeAnswer, NodesAnswer, SearchAnswer } from '../../contract/wire.ts'
import { withCallerLines } from '../../core/caller-lines.ts'
import { badRequest, notFound } from '../../core/failure.ts'
import { nodeRef } from '../../core/graph-shapes.ts'
import { integerParameter, textParameter } from '../../core/parameters.ts'
import { searchSymbols } from '../../core/search.ts'
import { symbolAnswer } from '../../core/symbol-answer.ts'
import {
  callerFilesReadMax,
  callerLineCharsMax,
  nodesIdsMax,
  searchLimitDefault,
  searchLimitMax,
  searchPoolMax,
  textCharsMax,
} from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerOfIndex, answerWith } from '../answer.ts'
import { parametersOf, pathSuffix } from '../query.ts'
import { flatten } from './flatten.ts'

export function graphRoutes(deps: Pick<ViewerDeps, 'index' | 'sources' | 'proofs'>): Hono {
  const router = new Hono()
  router.get('/api/search', (c) =>
    answerOfIndex<SearchAnswer>(
      c,
      flatten(
        deps.index.use(({ reader, stamp }) => {
          const parameters = parametersOf(c)
          const query = textParameter(parameters, 'q', textCharsMax)
          if (!query.ok) return query
          if (query.value === undefined) return badRequest('q is missing: what to search for')
          const limit = integerParameter(parameters, 'limit', 1, searchLimitMax)
          if (!limit.ok) return limit
          return succeed({
            body: searchSymbols(reader, query.value, limit.value ?? searchLimitDefault, searchPoolMax),
            stamp,
          })
        }),
      ),
    ),
  )
  router.get('/api/node/*', (c) =>
    answerWith<NodeAnswer>(
      flatten(
        deps.index.use(({ reader, remember }) => {
          const id = pathSuffix(c, '/api/node/')
          if (id === '') return badRequest('name a symbol: /api/node/<id>')
          const node = reader.nodeById(id)
          if (node === undefined) return failWith(unknownSymbol(id))
          const { value } = remember(`node ${id}`, () => symbolAnswer(reader, node))
          const incoming = withCallerLines(
            value.incoming,
            (path) => {
              const file = reader.fileByPath(path)
              const state = file === undefined ? undefined : deps.sources.read(file)
              return state?.ok === true && state.value.kind === 'fresh' ? state.value.text : undefined
            },
            { files: callerFilesReadMax, chars: callerLineCharsMax },
          )
          return succeed({ ...value, incoming, drift: deps.sources.isDrifted(reader.file(node.file)) })
        }),
      ),
    ),
  )
  router.get('/api/node', () => answerWith(badRequest('name a symbol: /api/node/<id>')))
  router.get('/api/nodes', (c) =>
    answerOfIndex<NodesAnswer>(
      c,
      flatten(
        deps.index.use(({ reader, stamp }) => {
          const given = (parametersOf(c)['id'] ?? []).filter((one) => one.trim() !== '')
          if (given.length === 0) return badRequest('id is missing: give up to 60 of them')
          if (given.length > nodesIdsMax)
            return badRequest(`id may be given at most ${nodesIdsMax} times, not ${given.length}`)
          const tooLong = given.find((one) => one.length > textCharsMax)
          if (tooLong !== undefined) return badRequest(`id may have at most ${textCharsMax} characters`)
          const ids = [...new Set(given)]
          const found = ids.map((id) => ({ id, node: reader.nodeById(id) }))
          return succeed({
            body: {
              items: found.flatMap((one) => (one.node === undefined ? [] : [nodeRef(reader, one.node)])),
              missing: found.filter((one) => one.node === undefined).map((one) => one.id),
            },
            stamp,
          })
        }),
      ),
    ),
  )
  return router
}

function unknownSymbol(
  id: string,
): Parameters<typeof failWith<{ code: 'not-found'; message: string; hint?: string }>>[0] {
  const answer = notFound(
    `no symbol has the id "${id.slice(0, 200)}"`,
    'ids change when the lines of a file move; search for the name',
  )
  return { ...answer.failure, code: 'not-found' }
}
