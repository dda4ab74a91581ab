/** The routes that the page asks, by what they are about. */
import type { z } from '@hono/zod-openapi'
import type { listBackground } from '../../contract/background.ts'
import type { WireAgent, WireCommand, WireModel, WireReference, WireSkill } from '../../contract/catalogue.ts'
import type { listChangedFiles, listFiles } from '../../contract/file.ts'
import type { readMemory } from '../../contract/memory.ts'
import type { applyPrune, WirePruneReport } from '../../contract/prune.ts'
import type { createTerminal, listTerminals } from '../../contract/pty.ts'
import type { WireSandbox } from '../../contract/sandbox.ts'
import type { WireSchedule } from '../../contract/schedule.ts'
import type { listWaitingPrompts } from '../../contract/session.ts'
import type { searchSaid } from '../../contract/session-search.ts'
import type { WireToolServer } from '../../contract/tool-server.ts'
import type { WireWorkTree } from '../../contract/work-tree.ts'
import type { PermissionRequest, QuestionRequest } from '../../core/session/event.ts'
import type { FileDiff, Message, ModelRef, Prompt, RevertState, SessionRecord } from '../../core/session/message.ts'
import type { Delivery, PermissionReply } from '../../core/vocabulary.ts'
import type { PromptPart } from '../model/attachments.ts'
import { ask } from './ask.ts'

export interface MessagePage {
  readonly data: readonly Message[]
  readonly cursor: { readonly previous?: string; readonly next?: string }
  readonly seq: number
}

export interface SessionPage {
  readonly data: readonly SessionRecord[]
  readonly cursor: { readonly next: string | null }
}

export type SaidPage = z.output<typeof searchSaid.answer>

export interface LocationInfo {
  readonly directory: string
  readonly project: { readonly id: string; readonly directory: string }
}

interface Of<T> {
  readonly data: T
}

export type WaitingPrompt = z.output<typeof listWaitingPrompts.answer>['data'][number]
export type PruneReport = WirePruneReport
export type ProjectMemory = z.output<typeof readMemory.answer>['data']
type ChangedFiles = z.output<typeof listChangedFiles.answer>
export type ChangedFile = NonNullable<ChangedFiles['data']>[number]
export type Terminal = z.output<typeof listTerminals.answer>['data'][number]
export type BackgroundCommand = z.output<typeof listBackground.answer>['data'][number]
export type NewTerminal = z.input<typeof createTerminal.body>

export interface PermissionAnswer {
  readonly reply: PermissionReply
  readonly message?: string
  readonly scope?: 'session'
}

const at = (directory: string): string => `directory=${encodeURIComponent(directory)}`
const session = (id: string, rest = ''): string => `/api/session/${id}${rest}`

export const routes = {
  location: () => ask<LocationInfo>('GET', '/api/location'),
  sessions: (query: Readonly<Record<string, string>>) =>
    ask<SessionPage>('GET', `/api/session?${new URLSearchParams(query)}`),
  said: (text: string, cursor: string | undefined) =>
    ask<SaidPage>(
      'GET',
      `/api/session/said?${new URLSearchParams({ text, ...(cursor === undefined ? {} : { cursor }) })}`,
    ),
  active: () =>
    ask<Of<Readonly<Record<string, { readonly waiting?: readonly string[] }>>>>('GET', '/api/session/active'),
  session: (id: string) => ask<Of<SessionRecord>>('GET', session(id)),
  create: (body: { agent?: string; model?: ModelRef; location?: { directory: string }; worktree?: boolean }) =>
    ask<Of<SessionRecord>>('POST', '/api/session', body),
  messages: (id: string, query: Readonly<Record<string, string>>) =>
    ask<MessagePage>('GET', session(id, `/message?${new URLSearchParams(query)}`)),
  prompt: (id: string, text: string, delivery: Delivery, files: readonly PromptPart[] = []) =>
    ask<Of<{ id: string }>>('POST', session(id, '/prompt'), {
      prompt: { text, ...(files.length === 0 ? {} : { files }) },
      delivery,
    }),
  waitingPrompts: (id: string) => ask<Of<readonly WaitingPrompt[]>>('GET', session(id, '/prompt')),
  withdraw: (id: string, prompt: string) =>
    ask<Of<{ readonly prompt: Prompt }>>('DELETE', session(id, `/prompt/${prompt}`)),
  interrupt: (id: string) => ask<undefined>('POST', session(id, '/interrupt')),
  compact: (id: string) => ask<undefined>('POST', session(id, '/compact')),
  switchAgent: (id: string, agent: string) => ask<undefined>('POST', session(id, '/agent'), { agent }),
  switchModel: (id: string, model: ModelRef) => ask<undefined>('POST', session(id, '/model'), { model }),
  changes: (id: string) => ask<Of<readonly FileDiff[]>>('GET', session(id, '/changes')),
  revertHunks: (id: string, body: { path: string; patch: string; hunks?: number[] }) =>
    ask<undefined>('POST', session(id, '/changes/revert'), body),
  stage: (id: string, messageID: string) => ask<Of<RevertState>>('POST', session(id, '/revert/stage'), { messageID }),
  clearRevert: (id: string) => ask<undefined>('POST', session(id, '/revert/clear')),
  commitRevert: (id: string) => ask<undefined>('POST', session(id, '/revert/commit')),
  workTrees: () => ask<Of<readonly WireWorkTree[]>>('GET', '/api/work-tree'),
  workTree: (id: string) => ask<Of<{ readonly changes: readonly FileDiff[] }>>('GET', session(id, '/work-tree')),
  mergeWorkTree: (id: string) => ask<undefined>('POST', session(id, '/work-tree/merge')),
  discardWorkTree: (id: string) => ask<undefined>('DELETE', session(id, '/work-tree')),
  background: (id: string) => ask<Of<readonly BackgroundCommand[]>>('GET', session(id, '/background')),
  backgroundOutput: (id: string, command: string) =>
    ask<Of<{ output: string }>>('GET', session(id, `/background/${command}`)),
  stopBackground: (id: string, command: string) => ask<undefined>('DELETE', session(id, `/background/${command}`)),
  permissions: (directory: string) =>
    ask<Of<readonly PermissionRequest[]>>('GET', `/api/permission/request?${at(directory)}`),
  questions: (directory: string) =>
    ask<Of<readonly QuestionRequest[]>>('GET', `/api/question/request?${at(directory)}`),
  replyPermission: ({ id, sessionID }: PermissionRequest, answer: PermissionAnswer) =>
    ask<undefined>('POST', session(sessionID, `/permission/${id}/reply`), answer),
  replyQuestion: ({ id, sessionID }: QuestionRequest, answers: readonly (readonly string[])[]) =>
    ask<undefined>('POST', session(sessionID, `/question/${id}/reply`), { answers }),
  rejectQuestion: ({ id, sessionID }: QuestionRequest) =>
    ask<undefined>('POST', session(sessionID, `/question/${id}/reject`)),
  agents: (directory: string) => ask<Of<readonly WireAgent[]>>('GET', `/api/agent?${at(directory)}`),
  models: (directory: string) => ask<Of<readonly WireModel[]>>('GET', `/api/model?${at(directory)}`),
  commands: (directory: string) => ask<Of<readonly WireCommand[]>>('GET', `/api/command?${at(directory)}`),
  skills: (directory: string) => ask<Of<readonly WireSkill[]>>('GET', `/api/skill?${at(directory)}`),
  references: (directory: string) => ask<Of<readonly WireReference[]>>('GET', `/api/reference?${at(directory)}`),
  sandbox: (directory: string) => ask<Of<WireSandbox>>('GET', `/api/sandbox?${at(directory)}`),
  memory: (directory: string) => ask<Of<ProjectMemory>>('GET', `/api/memory?${at(directory)}`),
  forgetNote: (id: string) => ask<undefined>('DELETE', `/api/memory/${id}`),
  previewPrune: (choice: { olderThan: number; allProjects: boolean }) =>
    ask<Of<PruneReport>>(
      'GET',
      `/api/session/prune?olderThan=${choice.olderThan}${choice.allProjects ? '&allProjects=true' : ''}`,
    ),
  applyPrune: (body: z.input<typeof applyPrune.body>) => ask<Of<PruneReport>>('POST', '/api/session/prune', body),
  changedFiles: (query: { readonly directory?: string; readonly path?: string } = {}) =>
    ask<ChangedFiles>('GET', `/api/fs/changed?${new URLSearchParams(query)}`),
  listFiles: (path: string) =>
    ask<z.output<typeof listFiles.answer>>('GET', `/api/fs/list?${new URLSearchParams({ path })}`),
  schedules: () => ask<Of<readonly WireSchedule[]>>('GET', '/api/schedule'),
  createSchedule: (directory: string, body: { text: string; at: number; everyMinutes?: number }) =>
    ask<Of<WireSchedule>>('POST', `/api/schedule?${at(directory)}`, body),
  removeSchedule: (id: string) => ask<undefined>('DELETE', `/api/schedule/${id}`),
  toolServers: (directory: string) => ask<Of<readonly WireToolServer[]>>('GET', `/api/mcp?${at(directory)}`),
  beginSignIn: (directory: string, name: string) =>
    ask<Of<{ readonly address: string }>>('POST', `/api/mcp/${name}/sign-in?${at(directory)}`),
  finishSignIn: (directory: string, name: string, address: string) =>
    ask<undefined>('POST', `/api/mcp/${name}/sign-in/finish?${at(directory)}`, { address }),
  forgetSignIn: (directory: string, name: string) =>
    ask<undefined>('DELETE', `/api/mcp/${name}/sign-in?${at(directory)}`),
  findFiles: (directory: string, query: string, limit: number) =>
    ask<Of<readonly { readonly path: string }[]>>(
      'GET',
      `/api/fs/find?${at(directory)}&${new URLSearchParams({ query, limit: String(limit) })}`,
    ),
  terminals: (directory: string) => ask<Of<readonly Terminal[]>>('GET', `/api/pty?${at(directory)}`),
  createTerminal: (directory: string, body: NewTerminal) =>
    ask<Of<Terminal>>('POST', `/api/pty?${at(directory)}`, body),
  resizeTerminal: (directory: string, id: string, size: { rows: number; cols: number }) =>
    ask<Of<Terminal>>('PUT', `/api/pty/${id}?${at(directory)}`, { size }),
  removeTerminal: (directory: string, id: string) => ask<undefined>('DELETE', `/api/pty/${id}?${at(directory)}`),
  ticket: (directory: string, id: string) =>
    ask<Of<{ ticket: string }>>('POST', `/api/pty/${id}/connect-token?${at(directory)}`),
}
