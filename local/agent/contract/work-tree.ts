import { z } from '@hono/zod-openapi'
import { fileDiff } from './message.ts'
import { declareRoute } from './route.ts'
import { sessionParams } from './session.ts'

const wireWorkTree = z
  .object({
    sessionID: z.string(),
    directory: z.string(),
    project: z.string().openapi({ description: 'The top of the repository that it is a copy of, and is merged into.' }),
    branch: z.string().openapi({ description: 'In its own repository; that of the project is not written to.' }),
    commit: z.string().openapi({ description: 'Of the project when it was made.' }),
    time: z.object({ created: z.number() }),
  })
  .openapi('WorkTree')
export type WireWorkTree = z.output<typeof wireWorkTree>

export const listWorkTrees = declareRoute('get', '/api/work-tree', {
  operationId: 'v2.worktree.list',
  summary: 'Work trees of sessions, oldest first',
  answer: z.object({ data: z.array(wireWorkTree) }),
})

export const readWorkTree = declareRoute('get', '/api/session/{sessionID}/work-tree', {
  operationId: 'v2.session.worktree',
  summary: 'What differs in the work tree of a session since it was made or last merged',
  params: sessionParams,
  answer: z.object({ data: wireWorkTree.extend({ changes: z.array(fileDiff) }) }),
  failures: ['not_found', 'backend_unavailable'],
})

export const mergeWorkTree = declareRoute('post', '/api/session/{sessionID}/work-tree/merge', {
  operationId: 'v2.session.worktree.merge',
  summary: 'Brings what was changed into the files of the project, or nothing of it where both changed the same place',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found', 'conflict', 'filesystem_error'],
})

export const discardWorkTree = declareRoute('delete', '/api/session/{sessionID}/work-tree', {
  operationId: 'v2.session.worktree.discard',
  summary: 'Throws the work tree away with what was not merged; the session stays to be read',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found', 'conflict'],
})
