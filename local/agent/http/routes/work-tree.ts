import { succeed } from '#shared/kernel/result.ts'
import { discardWorkTree, listWorkTrees, mergeWorkTree, readWorkTree } from '../../contract/work-tree.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'

export function workTreeRoutes({
  sessions,
  workTrees,
}: Pick<AgentDeps, 'sessions' | 'workTrees'>): readonly BoundRoute[] {
  return [
    bind(listWorkTrees, () => answerWith({ data: [...workTrees.list()] })),
    bind(readWorkTree, async ({ params }) => {
      const found = await workTrees.changes(params.sessionID)
      return found.ok ? answerWith({ data: { ...found.value.info, changes: [...found.value.changes] } }) : found
    }),
    bind(mergeWorkTree, async ({ params }) => {
      const merged = await sessions.mergeWorkTree(params.sessionID)
      return merged.ok ? succeed(undefined) : merged
    }),
    bind(discardWorkTree, async ({ params }) => {
      const gone = await sessions.discardWorkTree(params.sessionID)
      return gone.ok ? succeed(undefined) : gone
    }),
  ]
}
