import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { LocationQuery } from '../../contract/location.ts'
import { applyPrune, previewPrune } from '../../contract/prune.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { AgentDeps, PruneChoice, PruneScope } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

interface Asked {
  readonly olderThan: number
  readonly by?: PruneChoice['by'] | undefined
  readonly project?: string | undefined
  readonly allProjects?: boolean | undefined
  readonly includeRecent?: boolean | undefined
}

export function pruneRoutes(deps: Pick<AgentDeps, 'prunes' | 'locations'>): readonly BoundRoute[] {
  const { prunes } = deps

  async function choiceOf(asked: Asked, query: LocationQuery, headers: Headers): Promise<Result<PruneChoice, Failure>> {
    const scope = await scopeOf(asked, query, headers)
    if (!scope.ok) return scope
    return succeed({
      scope: scope.value,
      olderThanDays: asked.olderThan,
      by: asked.by ?? 'updated',
      includeRecent: asked.includeRecent ?? false,
    })
  }

  async function scopeOf(asked: Asked, query: LocationQuery, headers: Headers): Promise<Result<PruneScope, Failure>> {
    const { project, allProjects } = asked
    if (project !== undefined && allProjects === true) {
      return failWith(failure('invalid_request', { kind: 'excluding', names: 'project and allProjects' }))
    }
    if (allProjects === true) return succeed({})
    if (project !== undefined && !project.startsWith('/')) return succeed({ projectId: project })
    const location = await locationOf(deps.locations, project === undefined ? query : { directory: project }, headers)
    if (!location.ok) return location
    const { directory, project: found } = location.value
    // Folders without a repository share one project: what is meant is this folder, not all of them.
    return succeed(found.id === 'global' ? { projectId: found.id, directory } : { projectId: found.id })
  }

  return [
    bind(previewPrune, async ({ query, headers }) => {
      const choice = await choiceOf(query, query, headers)
      return choice.ok ? answerWith({ data: await prunes.preview(choice.value) }) : choice
    }),
    bind(applyPrune, async ({ query, body, headers }) => {
      if (body.action === 'archive' && body.derived !== undefined) {
        return failWith(failure('invalid_request', { kind: 'derived_alone' }))
      }
      const choice = await choiceOf(body, query, headers)
      if (!choice.ok) return choice
      const { action, digest, derived } = body
      const report = await prunes.apply(choice.value, { action, digest, removesDerived: derived === 'remove' })
      return report.ok ? answerWith({ data: report.value }) : report
    }),
  ]
}
