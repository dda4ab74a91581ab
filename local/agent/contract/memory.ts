import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import { requestedGenerations } from '../core/vocabulary.ts'
import { learnedPageMax, policyReasonCharactersMax } from '../limits.ts'
import { located, locationQuery } from './location.ts'
import { wireMemoryPolicy } from './message.ts'
import { declareRoute, wholeNumber } from './route.ts'
import { sessionParams } from './session.ts'

const wireNote = z.object({
  id: z.string(),
  sessionID: z.string(),
  text: z.string(),
  source: z.object({ messageID: z.string(), callID: z.string() }),
  time: z.object({ created: z.number() }),
})

export const readMemory = declareRoute('get', '/api/memory', {
  operationId: 'v2.memory.get',
  summary:
    'What sessions of the location are told beside their prompts: rules from files, and notes of earlier sessions',
  query: locationQuery,
  answer: located(
    z.object({
      rules: z.array(z.object({ file: z.string(), text: z.string() })),
      notes: z.array(wireNote).openapi({ description: 'Of the project, newest first.' }),
    }),
  ),
  failures: ['backend_unavailable'],
})

export const forgetNote = declareRoute('delete', '/api/memory/{memoryID}', {
  operationId: 'v2.memory.forget',
  summary: 'Forgets a note: later sessions are not told it',
  params: z.object({ memoryID: z.string().regex(idPattern.memory) }),
  answer: 'none',
  failures: ['not_found', 'database_error'],
})

const policyAnswer = z.object({ data: wireMemoryPolicy })

export const getMemoryPolicy = declareRoute('get', '/api/session/{sessionID}/memory-policy', {
  operationId: 'session.memoryPolicy.get',
  summary: 'Whether the session reads notes of earlier ones and may write notes for later ones',
  params: sessionParams,
  answer: policyAnswer,
  failures: ['not_found', 'backend_unavailable'],
})

export const setMemoryPolicy = declareRoute('put', '/api/session/{sessionID}/memory-policy', {
  operationId: 'session.memoryPolicy.set',
  summary: 'Changes the policy, if it still is at the expected revision, the session is idle and not excluded',
  params: sessionParams,
  body: z.strictObject({
    useMemories: z.boolean(),
    generation: z.enum(requestedGenerations),
    expectedRevision: z.number().int().min(0),
    reason: z.string().min(1).max(policyReasonCharactersMax).optional(),
  }),
  answer: policyAnswer,
  failures: ['not_found', 'conflict', 'database_error'],
})

export const getLearning = declareRoute('get', '/api/session/{sessionID}/learning', {
  operationId: 'session.learning.get',
  summary: 'What the session learned for later ones, and which notes of earlier ones it was given last',
  params: sessionParams,
  query: z.object({
    offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
    limit: wholeNumber(1, learnedPageMax).default(learnedPageMax),
  }),
  answer: z.object({
    data: z.object({
      retrieval: z
        .object({ selectedIds: z.array(z.string()), candidateCount: z.number().int(), timeUpdated: z.number() })
        .nullable(),
      experiencePage: z.object({
        offset: z.number().int(),
        limit: z.number().int(),
        total: z.number().int(),
        nextOffset: z.number().int().nullable(),
      }),
      experiences: z.array(wireNote),
    }),
  }),
  failures: ['not_found'],
})
