import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, test } from 'vitest'
import type { z } from 'zod'
import * as answers from '../../../local/viewer/contract/answers.ts'
import { createProject, serve } from '../../support/viewer-server.ts'

const root = path.join(import.meta.dirname, '../../..')

const project = createProject({})
for (const folder of ['local', 'shared', 'test/fixtures/code', 'test/pure/viewer'])
  cpSync(path.join(root, folder), path.join(project.place.root, folder), { recursive: true })
await project.sync()
const viewer = await serve(project.place)

afterAll(async () => {
  await viewer.running.close()
  project.dispose()
})

test.for<[string, z.ZodType]>([
  ['/api', answers.apiAnswer],
  ['/api/stats', answers.statsAnswer],
  ['/api/search?q=read', answers.searchAnswer],
  ['/api/search?q=kind:class', answers.searchAnswer],
  ['/api/search?q=nothingislikethis', answers.searchAnswer],
  ['/api/nodes?id=file:local/indexer/sync.ts&id=gone', answers.nodesAnswer],
  ['/api/source?file=local/indexer/sync.ts', answers.sourceAnswer],
  ['/api/source?file=test/fixtures/code/python/app/main.py&from=3&to=9', answers.sourceAnswer],
  ['/api/file/local/indexer/sync.ts', answers.fileAnswer],
  ['/api/filecode/local/indexer/sync.ts', answers.fileCodeAnswer],
  ['/api/routes', answers.routesAnswer],
  ['/api/entrypoints', answers.entryPointsAnswer],
  ['/api/handlers', answers.handlersAnswer],
  ['/api/handlers?limit=1', answers.handlersAnswer],
  ['/api/accuracy', answers.accuracyAnswer],
  ['/api/gaps', answers.gapsAnswer],
  ['/api/gaps?limit=1', answers.gapsAnswer],
  ['/api/tree', answers.treeAnswer],
  ['/api/tree?folder=local/viewer/core&limit=3', answers.treeAnswer],
  ['/api/map', answers.mapAnswer],
  ['/api/map?root=&depth=4', answers.mapAnswer],
  ['/api/deadcode?exported=1&tests=1&generated=1', answers.deadCodeAnswer],
  ['/api/flow?from=runCommand&to=publishIndex', answers.flowAnswer],
  ['/api/flow?from=publishIndex&to=runCommand', answers.flowAnswer],
  ['/api/flow?symbols=syncIndex,syncLocked,link', answers.flowAnswer],
  ['/api/blame?file=local/indexer/sync.ts', answers.blameAnswer],
  ['/api/text?q=published', answers.textAnswer],
  ['/api/text?q=read%5CW&regex=1&case=1&word=1&path=core&limit=3', answers.textAnswer],
  ['/api/screens', answers.screensAnswer],
  ['/api/trails', answers.trailsAnswer],
])('%s has its shape', async ([target, shape], { expect }) => {
  const reply = await viewer.get(target)
  const parsed = shape.safeParse(reply.body)

  expect(reply.status, reply.text).toBe(200)
  expect(parsed.success, JSON.stringify(parsed.error?.issues.slice(0, 3))).toBe(true)
})

test('every symbol of the index has the shape of one', async ({ expect }) => {
  const { body } = await viewer.get('/api/search?q=kind:function&limit=200')
  const classes = await viewer.get(
    `/api/search?q=${encodeURIComponent('kind:class kind:interface kind:file kind:enum kind:component')}&limit=200`,
  )
  const ids: string[] = [...body.results.items, ...classes.body.results.items].map((one: { id: string }) => one.id)
  for (const id of ids) {
    const reply = await viewer.get(`/api/node/${encodeURIComponent(id)}`)
    const parsed = answers.nodeAnswer.safeParse(reply.body)
    expect(parsed.success, `${id} ${JSON.stringify(parsed.error?.issues.slice(0, 3))}`).toBe(true)
    expect(reply.body.counts).toMatchObject({ callers: reply.body.incoming.total, callees: reply.body.outgoing.total })
  }
  expect(ids.length).toBeGreaterThan(200)
})

test.for(['/api/zzz', '/api/search', '/api/node/gone', '/api/source?file=/etc/passwd', '/api/map?depth=9'])(
  '%s fails in the shape of failures',
  async (target, { expect }) => {
    expect(answers.failureAnswer.safeParse((await viewer.get(target)).body).success).toBe(true)
  },
)

test('saving and deleting a trail answer the list', async ({ expect }) => {
  const saved = await viewer.send('POST', '/api/trails', {
    name: 'Shape',
    hops: [{ id: 'file:local/indexer/sync.ts' }],
  })
  const deleted = await viewer.send('DELETE', '/api/trails/shape')

  expect(answers.trailsAnswer.safeParse(saved.body)).toMatchObject({
    success: true,
    data: { saved: 'shape', replaced: false },
  })
  expect(answers.trailsAnswer.safeParse(deleted.body)).toMatchObject({ success: true, data: { deleted: 'shape' } })
})
