import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import {
  changeHunksMax,
  historyPageDefault,
  historyPageMax,
  messagePageDefault,
  messagePageMax,
  sessionPageMax,
} from '../limits.ts'
import {
  fileDiff,
  promptInput,
  wireDelivery,
  wireEvent,
  wireLocationRef,
  wireMessage,
  wireModelRef,
  wirePrompt,
  wireRevert,
  wireSession,
} from './message.ts'
import { declareRoute, wholeNumber } from './route.ts'

export const sessionParams = z.object({ sessionID: z.string().regex(idPattern.session, 'must start with ses') })

const sessionCursor = z.object({ previous: z.string().nullable(), next: z.string().nullable() })
const messageCursor = z.object({ previous: z.string().optional(), next: z.string().optional() })

export const listSessions = declareRoute('get', '/api/session', {
  operationId: 'v2.session.list',
  summary: 'Sessions, newest change first',
  query: z.object({
    limit: wholeNumber(1, sessionPageMax).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    sort: z.enum(['created', 'updated']).optional(),
    search: z.string().optional(),
    directory: z.string().optional(),
    workspace: z.string().optional(),
    project: z.string().optional(),
    subpath: z.string().optional(),
    cursor: z.string().optional(),
  }),
  answer: z.object({ data: z.array(wireSession), cursor: sessionCursor }),
})

export const createSession = declareRoute('post', '/api/session', {
  operationId: 'v2.session.create',
  summary: 'Creates a session; the same id again answers the session that has it',
  body: z.object({
    id: z.string().regex(idPattern.session).optional(),
    agent: z.string().min(1).optional(),
    model: wireModelRef.optional(),
    location: wireLocationRef.optional(),
    worktree: z.boolean().optional().openapi({ description: 'In a copy of the repository that is made for it.' }),
  }),
  answer: z.object({ data: wireSession }),
  failures: ['conflict', 'database_error', 'filesystem_error'],
})

export const listActiveSessions = declareRoute('get', '/api/session/active', {
  operationId: 'v2.session.active',
  summary: 'Sessions with a live turn',
  answer: z.object({
    data: z.record(
      z.string(),
      z.object({
        type: z.literal('running'),
        waiting: z
          .array(z.string())
          .optional()
          .openapi({ description: 'Calls of its step that have not begun, as behind one that is asked about.' }),
      }),
    ),
  }),
})

export const getSession = declareRoute('get', '/api/session/{sessionID}', {
  operationId: 'v2.session.get',
  summary: 'One session',
  params: sessionParams,
  answer: z.object({ data: wireSession }),
  failures: ['not_found'],
})

export const getContext = declareRoute('get', '/api/session/{sessionID}/context', {
  operationId: 'v2.session.context',
  summary: 'What the model sees of the session, oldest first',
  params: sessionParams,
  answer: z.object({ data: z.array(wireMessage) }),
  failures: ['not_found'],
})

export const getHistory = declareRoute('get', '/api/session/{sessionID}/history', {
  operationId: 'v2.session.history',
  summary: 'Durable events, oldest first',
  params: sessionParams,
  query: z.object({
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: wholeNumber(1, historyPageMax).default(historyPageDefault),
  }),
  answer: z.object({ data: z.array(wireEvent), hasMore: z.boolean() }),
  failures: ['not_found'],
})

export const listMessages = declareRoute('get', '/api/session/{sessionID}/message', {
  operationId: 'v2.session.messages',
  summary: 'A page of messages, newest first unless asked otherwise',
  params: sessionParams,
  query: z.object({
    limit: wholeNumber(1, messagePageMax).default(messagePageDefault),
    order: z.enum(['asc', 'desc']).optional(),
    cursor: z.string().optional(),
  }),
  answer: z.object({
    data: z.array(wireMessage),
    cursor: messageCursor,
    seq: z.number().int().openapi({ description: 'Of the newest event in them: the stream goes on after it.' }),
  }),
  failures: ['not_found'],
})

export const getMessage = declareRoute('get', '/api/session/{sessionID}/message/{messageID}', {
  operationId: 'v2.session.message',
  summary: 'One message',
  params: sessionParams.extend({ messageID: z.string().regex(idPattern.message) }),
  answer: z.object({ data: wireMessage }),
  failures: ['not_found'],
})

export const followSession = declareRoute('get', '/api/session/{sessionID}/event', {
  operationId: 'v2.session.events',
  summary: 'Replays the stored events after a cursor, then follows new ones',
  params: sessionParams,
  query: z.object({ after: z.string().optional() }),
  headers: z.object({ 'last-event-id': z.string().optional() }),
  answer: 'events',
  failures: ['invalid_event_request', 'not_found', 'backend_unavailable'],
})

export const switchAgent = declareRoute('post', '/api/session/{sessionID}/agent', {
  operationId: 'v2.session.switchAgent',
  summary: 'Switches the agent, from the next step on',
  params: sessionParams,
  body: z.object({ agent: z.string().min(1) }),
  answer: 'none',
  failures: ['not_found'],
})

export const switchModel = declareRoute('post', '/api/session/{sessionID}/model', {
  operationId: 'v2.session.switchModel',
  summary: 'Switches the model, from the next step on',
  params: sessionParams,
  body: z.object({ model: wireModelRef }),
  answer: 'none',
  failures: ['not_found'],
})

const receipt = z.object({
  admittedSeq: z.number().int(),
  id: z.string(),
  sessionID: z.string(),
  prompt: wirePrompt,
  delivery: wireDelivery,
  timeCreated: z.number(),
  promotedSeq: z.number().int().optional(),
})

export const admitPrompt = declareRoute('post', '/api/session/{sessionID}/prompt', {
  operationId: 'v2.session.prompt',
  summary: 'Admits a prompt; the same id with the same content again answers the first receipt',
  params: sessionParams,
  body: z.object({
    id: z.string().regex(idPattern.message).optional(),
    prompt: promptInput,
    delivery: wireDelivery.optional(),
    resume: z.boolean().optional(),
    agent: z.string().min(1).optional(),
    model: wireModelRef.optional(),
  }),
  answer: z.object({ data: receipt }),
  failures: ['not_found', 'conflict', 'database_error'],
})

export const listWaitingPrompts = declareRoute('get', '/api/session/{sessionID}/prompt', {
  operationId: 'v2.session.prompt.list',
  summary: 'Prompts that were admitted and not taken in yet, oldest first, and what the server has to tell the model',
  params: sessionParams,
  answer: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        admittedSeq: z.number().int(),
        delivery: wireDelivery,
        text: z.string().openapi({ description: 'Its beginning, where it is long.' }),
        files: z.number().int().nonnegative().openapi({ description: 'How many came with it.' }),
        timeCreated: z.number(),
      }),
    ),
  }),
  failures: ['not_found'],
})

export const withdrawPrompt = declareRoute('delete', '/api/session/{sessionID}/prompt/{messageID}', {
  operationId: 'v2.session.prompt.withdraw',
  summary: 'Takes a prompt back before it is taken in, for good, and answers it; one that was taken in is a conflict',
  params: sessionParams.extend({ messageID: z.string().regex(idPattern.message) }),
  answer: z.object({ data: receipt }),
  failures: ['not_found', 'conflict', 'database_error'],
})

export const compactSession = declareRoute('post', '/api/session/{sessionID}/compact', {
  operationId: 'v2.session.compact',
  summary: 'Replaces what the model sees by a summary; answers when that is done',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found', 'conflict', 'backend_unavailable'],
})

export const waitForSession = declareRoute('post', '/api/session/{sessionID}/wait', {
  operationId: 'v2.session.wait',
  summary: 'Answers when the session is idle',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found'],
})

export const interruptSession = declareRoute('post', '/api/session/{sessionID}/interrupt', {
  operationId: 'v2.session.interrupt',
  summary: 'Ends the live turn; an idle session is unchanged',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found'],
})

export const listChanges = declareRoute('get', '/api/session/{sessionID}/changes', {
  operationId: 'v2.session.changes',
  summary: 'What the steps of the session changed in files, as it is now; touches nothing',
  params: sessionParams,
  answer: z.object({ data: z.array(fileDiff) }),
  failures: ['not_found', 'backend_unavailable', 'filesystem_error'],
})

export const revertHunks = declareRoute('post', '/api/session/{sessionID}/changes/revert', {
  operationId: 'v2.session.changes.revert',
  summary: 'Takes hunks of one file back, counted from 0, or the whole change where none are named',
  params: sessionParams,
  body: z.object({
    path: z.string().min(1),
    patch: z.string().openapi({ description: 'As the list of changes has it: another one by now is a conflict.' }),
    hunks: z.array(z.number().int().nonnegative()).min(1).max(changeHunksMax).optional(),
  }),
  answer: 'none',
  failures: ['not_found', 'conflict', 'filesystem_error'],
})

export const stageRevert = declareRoute('post', '/api/session/{sessionID}/revert/stage', {
  operationId: 'v2.session.revert.stage',
  summary: 'Takes the session and its files back to before a message, until cleared or committed',
  params: sessionParams,
  body: z.object({ messageID: z.string().regex(idPattern.message), files: z.boolean().optional() }),
  answer: z.object({ data: wireRevert }),
  failures: ['not_found', 'conflict', 'filesystem_error'],
})

export const clearRevert = declareRoute('post', '/api/session/{sessionID}/revert/clear', {
  operationId: 'v2.session.revert.clear',
  summary: 'Undoes the staged revert',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found', 'conflict', 'filesystem_error'],
})

export const commitRevert = declareRoute('post', '/api/session/{sessionID}/revert/commit', {
  operationId: 'v2.session.revert.commit',
  summary: 'Makes the staged revert final',
  params: sessionParams,
  answer: 'none',
  failures: ['not_found', 'conflict'],
})
