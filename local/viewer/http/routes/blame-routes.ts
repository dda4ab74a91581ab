/** Whose change made each line of a file. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { BlameAnswer } from '../../contract/wire.ts'
import { type Answer, badRequest } from '../../core/failure.ts'
import { textParameter } from '../../core/parameters.ts'
import { splitLines } from '../../core/token-lines.ts'
import { blameLinesMax, textCharsMax } from '../../limits.ts'
import type { SourceState, ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { indexedFile } from './file-routes.ts'
import { flatten } from './flatten.ts'
import { timing } from './overview-routes.ts'

export function blameRoutes(deps: Pick<ViewerDeps, 'index' | 'sources' | 'histories'>): Hono {
  const router = new Hono()
  router.get('/api/blame', async (c) => {
    const started = performance.now()
    const asked = textParameter(parametersOf(c), 'file', textCharsMax)
    if (!asked.ok) return answerWith(asked)
    const path = asked.value ?? ''
    if (path === '') return answerWith(badRequest('file is missing: the path of a file of the index'))
    const file = flatten(deps.index.use(({ reader }) => indexedFile(deps, reader, path)))
    if (!file.ok) return answerWith(file)
    const state = deps.sources.read(file.value)
    if (!state.ok) return answerWith(state)
    if ('text' in state.value && splitLines(state.value.text).length > blameLinesMax)
      return answerWith(badRequest(`the history of lines is told of files of at most ${blameLinesMax} lines`))
    const isFresh = (one: Answer<SourceState>): boolean => one.ok && one.value.kind === 'fresh'
    const found = isFresh(state) ? await deps.histories.of(file.value) : undefined
    // Git reads the file by itself: it must have been the indexed text all the while.
    const drift = !isFresh(state) || !isFresh(deps.sources.read(file.value))
    return answerWith<BlameAnswer>(
      succeed({
        file: file.value.path,
        drift,
        known: found !== undefined && !drift,
        ...(found === undefined || drift ? { commits: [], parts: [] } : found),
        timing: timing(started, false),
      }),
    )
  })
  return router
}
