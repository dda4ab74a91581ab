import {
  cancelRun,
  createConversation,
  decideConfirmation,
  deleteConversation,
  followConversation,
  getAssistantStatus,
  getConversation,
  listConversations,
  sendMessage,
} from '../assistant.ts'
import { showOperation } from './example.ts'

const at = '2026-11-02T00:00:00.000Z'
const params = { id: 'c-1' }

const conversation = {
  id: 'c-1',
  title: 'What is slow',
  entry: 'app',
  running: false,
  created_at: at,
  updated_at: at,
} as const

const question = {
  id: 'm-1',
  run_id: 'r-1',
  role: 'user',
  content: 'Which downloads are stuck?',
  created_at: at,
} as const

const toolCall = {
  id: 't-1',
  name: 'pause_torrents',
  arguments: { targets: ['example'] },
  write: true,
} as const

const confirmation = {
  id: 'k-1',
  run_id: 'r-1',
  tool_call_id: 't-1',
  tool: 'pause_torrents',
  summary: '暂停 1 个种子',
  arguments: { targets: ['example'] },
  status: 'pending',
  expires_at: '2026-11-02T00:10:00.000Z',
  created_at: at,
} as const

export const assistantExamples = [
  showOperation(getAssistantStatus, {
    answers: { 200: { enabled: true, model: 'example-model', can_confirm: true, chatops: false } },
  }),
  showOperation(listConversations, { answers: { 200: { items: [conversation] } } }),
  showOperation(createConversation, {
    body: { message: question.content },
    answers: {
      201: conversation,
      202: { ...conversation, running: true, run: { run_id: 'r-1', message: question } },
    },
  }),
  showOperation(getConversation, {
    params,
    answers: {
      200: {
        ...conversation,
        running: true,
        messages: [question],
        confirmations: [confirmation],
        run_id: 'r-1',
        partial: '',
        last_seq: 3,
      },
    },
  }),
  showOperation(deleteConversation, { params, body: {}, answers: { 200: { ok: true } } }),
  showOperation(sendMessage, {
    params,
    body: { text: question.content },
    answers: { 202: { run_id: 'r-1', message: question } },
  }),
  showOperation(cancelRun, { params, body: {}, answers: { 200: { ok: true } } }),
  showOperation(followConversation, {
    params,
    query: { after: '0', wait: '20' },
    answers: {
      200: {
        events: [
          { seq: 1, at, type: 'run_started', run_id: 'r-1' },
          { seq: 2, at, type: 'tool_started', tool: toolCall },
          { seq: 3, at, type: 'confirmation', confirmation },
        ],
        reset: false,
        last: 3,
        running: true,
      },
    },
  }),
  showOperation(decideConfirmation, {
    params: { id: 'k-1' },
    body: { approve: true },
    answers: { 200: { ...confirmation, status: 'approved', decided_by: 'Phone', decided_at: at } },
  }),
]
