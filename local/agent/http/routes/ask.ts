import {
  getSessionPermission,
  listPermissionRequests,
  listQuestionRequests,
  listSavedPermissions,
  listSessionPermissions,
  listSessionQuestions,
  rejectQuestion,
  removeSavedPermission,
  replyPermission,
  replyQuestion,
} from '../../contract/ask.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerJson, answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

export function askRoutes(deps: Pick<AgentDeps, 'asks' | 'locations'>): readonly BoundRoute[] {
  const { asks } = deps
  return [
    bind(listPermissionRequests, async ({ query, headers }) => {
      const location = await locationOf(deps.locations, query, headers)
      if (!location.ok) return location
      const pending = asks.permissions({ directory: location.value.directory })
      return pending.ok ? answerJson(JSON.stringify({ location: location.value, data: pending.value })) : pending
    }),
    bind(listSessionPermissions, ({ params }) => {
      const pending = asks.permissions({ sessionId: params.sessionID })
      return pending.ok ? answerJson(JSON.stringify({ data: pending.value })) : pending
    }),
    bind(getSessionPermission, ({ params }) => {
      const pending = asks.permission(params.sessionID, params.requestID)
      return pending.ok ? answerJson(JSON.stringify({ data: pending.value })) : pending
    }),
    bind(replyPermission, ({ params, body }) => {
      const settled = asks.replyPermission(params.sessionID, params.requestID, body)
      return settled.ok ? { ok: true, value: undefined } : settled
    }),
    bind(listSavedPermissions, ({ query }) => answerWith({ data: [...asks.savedRules(query.projectID)] })),
    bind(removeSavedPermission, ({ params }) => {
      asks.removeSavedRule(params.id)
      return { ok: true, value: undefined }
    }),
    bind(listQuestionRequests, async ({ query, headers }) => {
      const location = await locationOf(deps.locations, query, headers)
      if (!location.ok) return location
      const pending = asks.questions({ directory: location.value.directory })
      return pending.ok ? answerJson(JSON.stringify({ location: location.value, data: pending.value })) : pending
    }),
    bind(listSessionQuestions, ({ params }) => {
      const pending = asks.questions({ sessionId: params.sessionID })
      return pending.ok ? answerJson(JSON.stringify({ data: pending.value })) : pending
    }),
    bind(replyQuestion, ({ params, body }) => {
      const settled = asks.replyQuestion(params.sessionID, params.requestID, body.answers)
      return settled.ok ? { ok: true, value: undefined } : settled
    }),
    bind(rejectQuestion, ({ params }) => {
      const settled = asks.rejectQuestion(params.sessionID, params.requestID)
      return settled.ok ? { ok: true, value: undefined } : settled
    }),
  ]
}
