import { Hono } from 'hono/tiny'
import { readStrictJson } from '#shared/http/strict-json-body.ts'
import { succeed } from '#shared/kernel/result.ts'
import type { TrailInput } from '../../contract/trail.ts'
import type { TrailsAnswer } from '../../contract/wire.ts'
import { type Answer, badRequest, notFound, refused } from '../../core/failure.ts'
import { type HopDirection, isTrailId, resolveTrail, type StoredTrail, trailIdFor } from '../../core/trail.ts'
import { bodyBytesMax, bodyDepthMax, trailFilesMax, trailSlugCharsMax } from '../../limits.ts'
import type { OpenedIndex, TrailFiles, ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { pathSuffix } from '../query.ts'
import { failureResponse } from '../render-failure.ts'
import { flatten } from './flatten.ts'

type Deps = Pick<ViewerDeps, 'index' | 'trails' | 'isReadOnly' | 'clock'>

const readOnlyReason = 'the viewer was started with --read-only'

export function trailRoutes(deps: Deps): Hono {
  const router = new Hono()
  router.get('/api/trails', async () => {
    const trails = await deps.trails()
    return answerWith(deps.index.use((index) => listAnswer(deps, trails, index)))
  })
  router.post('/api/trails', async (c) => {
    const body = await readStrictJson(c.req.raw.body, { bytesMax: bodyBytesMax, depthMax: bodyDepthMax })
    if (!body.ok) {
      if (body.failure === 'too_large')
        return failureResponse(
          { code: 'bad-request', message: `a body may have at most ${bodyBytesMax} bytes` },
          { Connection: 'close' },
        )
      return answerWith(badRequest('the body is not one JSON object'))
    }
    if (deps.isReadOnly) return answerWith(refused(readOnlyReason))
    const [{ trailInput }, trails] = await Promise.all([import('../../contract/trail.ts'), deps.trails()])
    const parsed = trailInput.safeParse(body.value)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return answerWith(badRequest(`${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'wrong shape'}`))
    }
    return answerWith(flatten(deps.index.use((index) => save(deps, trails, index, parsed.data))))
  })
  router.delete('/api/trails', () => answerWith(badRequest('name a trail: DELETE /api/trails/<id>')))
  router.delete('/api/trails/*', async (c) => {
    if (deps.isReadOnly) return answerWith(refused(readOnlyReason))
    const id = pathSuffix(c, '/api/trails/')
    if (!isTrailId(id)) return answerWith(badRequest('this is no id of a trail'))
    const trails = await deps.trails()
    return answerWith(
      flatten(
        deps.index.use((index) => {
          if (!trails.remove(id)) return notFound(`there is no trail "${id}"`)
          return succeed({ ...listAnswer(deps, trails, index), deleted: id })
        }),
      ),
    )
  })
  return router
}

function listAnswer(deps: Deps, files: TrailFiles, index: OpenedIndex): TrailsAnswer {
  const { trails, skipped, isBounded } = files.list()
  return {
    trails: trails.map((trail) => resolveTrail(index.reader, trail)),
    readOnly: deps.isReadOnly,
    readOnlyReason: deps.isReadOnly ? readOnlyReason : null,
    directory: files.directory,
    skipped,
    bounded: isBounded,
  }
}

function save(deps: Deps, files: TrailFiles, index: OpenedIndex, input: TrailInput): Answer<TrailsAnswer> {
  const hops: StoredTrail['hops'][number][] = []
  for (const [position, hop] of input.hops.entries()) {
    const node = index.reader.nodeById(hop.id)
    if (node === undefined) return badRequest(`hop ${position + 1} is not in the index: "${hop.id.slice(0, 200)}"`)
    const dir: HopDirection = position === 0 ? 'start' : hop.dir === 'up' || hop.dir === 'down' ? hop.dir : 'start'
    hops.push({
      dir,
      name: node.name,
      qualifiedName: node.qualifiedName,
      kind: node.kind,
      file: index.reader.file(node.file).path,
      line: node.line,
      id: node.id,
    })
  }
  const { trails } = files.list()
  const before = trails.find((one) => one.name === input.name)
  if (before === undefined && trails.length >= trailFilesMax)
    return refused(`there are ${trailFilesMax} trails already; delete one first`)
  const now = new Date(deps.clock.nowMs()).toISOString()
  const trail: StoredTrail = {
    version: 1,
    id: trailIdFor(input.name, trails, trailSlugCharsMax),
    name: input.name,
    note: input.note ?? '',
    author: files.author(),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    hops,
  }
  files.save(trail)
  return succeed({ ...listAnswer(deps, files, index), saved: trail.id, replaced: before !== undefined })
}
