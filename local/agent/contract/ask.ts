import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import { permissionReplies } from '../core/vocabulary.ts'
import { replyBodyBytesMax, replyMessageCharactersMax } from '../limits.ts'
import { located, locationQuery } from './location.ts'
import { declareRoute } from './route.ts'
import { sessionParams } from './session.ts'

const wirePermissionRequest = z
  .object({
    id: z.string(),
    sessionID: z.string(),
    action: z.string(),
    resources: z.array(z.string()),
    save: z.array(z.string()).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    source: z.object({ type: z.literal('tool'), messageID: z.string(), callID: z.string() }).optional(),
  })
  .openapi('PermissionRequest')

export const wireQuestionItem = z.object({
  question: z.string().min(1),
  header: z.string().min(1),
  options: z.array(z.object({ label: z.string().min(1), description: z.string() })),
  multiple: z.boolean().optional(),
  custom: z.boolean().optional(),
})

const wireQuestionRequest = z
  .object({
    id: z.string(),
    sessionID: z.string(),
    questions: z.array(wireQuestionItem),
    tool: z.object({ messageID: z.string(), callID: z.string() }).optional(),
  })
  .openapi('QuestionRequest')

const wireSavedRule = z
  .object({ id: z.string(), projectID: z.string(), action: z.string(), resource: z.string() })
  .openapi('SavedPermission')

const permissionParams = sessionParams.extend({
  requestID: z.string().regex(idPattern.permission, 'must start with per'),
})
const questionParams = sessionParams.extend({ requestID: z.string().regex(idPattern.question, 'must start with que') })

export const listPermissionRequests = declareRoute('get', '/api/permission/request', {
  operationId: 'v2.permission.request.list',
  summary: 'Pending permission requests of the location',
  query: locationQuery,
  answer: located(z.array(wirePermissionRequest)),
})

export const listSessionPermissions = declareRoute('get', '/api/session/{sessionID}/permission', {
  operationId: 'v2.session.permission.list',
  summary: 'Pending permission requests of one session',
  params: sessionParams,
  answer: z.object({ data: z.array(wirePermissionRequest) }),
  failures: ['not_found'],
})

export const getSessionPermission = declareRoute('get', '/api/session/{sessionID}/permission/{requestID}', {
  operationId: 'v2.session.permission.get',
  summary: 'One pending permission request',
  params: permissionParams,
  answer: z.object({ data: wirePermissionRequest }),
  failures: ['not_found'],
})

export const replyPermission = declareRoute('post', '/api/session/{sessionID}/permission/{requestID}/reply', {
  operationId: 'v2.session.permission.reply',
  summary: 'Settles one permission request',
  params: permissionParams,
  bodyBytesMax: replyBodyBytesMax,
  body: z.strictObject({
    reply: z.enum(permissionReplies),
    message: z.string().max(replyMessageCharactersMax).optional(),
    /** With `always`: for this session and as long as the server runs, instead of for the project and for good. */
    scope: z.literal('session').optional(),
  }),
  answer: 'none',
  failures: ['not_found', 'database_error'],
})

export const listSavedPermissions = declareRoute('get', '/api/permission/saved', {
  operationId: 'v2.permission.saved.list',
  summary: 'Rules that `always` stored',
  query: z.object({ projectID: z.string().optional() }),
  answer: z.object({ data: z.array(wireSavedRule) }),
})

export const removeSavedPermission = declareRoute('delete', '/api/permission/saved/{id}', {
  operationId: 'v2.permission.saved.remove',
  summary: 'Revokes a stored rule',
  params: z.object({ id: z.string().regex(/^psv_[0-9A-Za-z_-]{1,96}$/) }),
  answer: 'none',
})

export const listQuestionRequests = declareRoute('get', '/api/question/request', {
  operationId: 'v2.question.request.list',
  summary: 'Pending questions of the location',
  query: locationQuery,
  answer: located(z.array(wireQuestionRequest)),
})

export const listSessionQuestions = declareRoute('get', '/api/session/{sessionID}/question', {
  operationId: 'v2.session.question.list',
  summary: 'Pending questions of one session',
  params: sessionParams,
  answer: z.object({ data: z.array(wireQuestionRequest) }),
  failures: ['not_found'],
})

export const replyQuestion = declareRoute('post', '/api/session/{sessionID}/question/{requestID}/reply', {
  operationId: 'v2.session.question.reply',
  summary: 'Settles a question and admits its answer, both or neither',
  params: questionParams,
  bodyBytesMax: replyBodyBytesMax,
  body: z.strictObject({ answers: z.array(z.array(z.string().max(replyMessageCharactersMax)).max(64)).max(64) }),
  answer: 'none',
  failures: ['not_found', 'database_error'],
})

export const rejectQuestion = declareRoute('post', '/api/session/{sessionID}/question/{requestID}/reject', {
  operationId: 'v2.session.question.reject',
  summary: 'Rejects a pending question',
  params: questionParams,
  answer: 'none',
  failures: ['not_found', 'database_error'],
})
