/** What the agent asks, as the one question that every editor can put: a call, and answers to choose from. */
import {
  type AgentContext,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
  type ToolCallContent,
} from '@agentclientprotocol/sdk'
import type { AgentClient } from '../client/agent-client.ts'
import type { Asked } from '../client/prompt-turn.ts'
import type { PermissionRequest, QuestionItem, QuestionRequest } from '../core/session/event.ts'
import { textIn } from '../core/session/tool-subject.ts'
import { callId, diffContent, kindOf, textContent } from './updates.ts'

export interface Editor {
  readonly context: AgentContext
  /** The session that the editor knows: a task of it asks in its name. */
  readonly sessionId: string
  readonly directory: string
  /** The question was answered elsewhere, such as on the page, or the turn is over. */
  readonly settled: AbortSignal
}

export async function askEditor(client: AgentClient, editor: Editor, asked: Asked): Promise<void> {
  const path = `/api/session/${asked.request.sessionID}/${asked.kind}/${asked.request.id}`
  if (asked.kind === 'permission') {
    const reply = await choose(
      editor,
      permissionCall(asked.request, editor.directory),
      permissionOptions(asked.request),
    )
    // One who was not asked to the end has allowed nothing.
    const answer = permissionAnswers[reply ?? ''] ?? { reply: 'reject' }
    if (!editor.settled.aborted) await client.ask('POST', `${path}/reply`, answer)
    return
  }
  const answers: string[][] = []
  for (const question of asked.request.questions) {
    const chosen = await choose(editor, questionCall(asked.request, question), questionOptions(question))
    const label = question.options[Number(chosen)]?.label
    if (label === undefined) {
      if (!editor.settled.aborted) await client.ask('POST', `${path}/reject`)
      return
    }
    answers.push([label])
  }
  if (!editor.settled.aborted) await client.ask('POST', `${path}/reply`, { answers })
}

/** The id of the option; undefined when nothing was chosen. */
async function choose(
  { context, sessionId, settled }: Editor,
  toolCall: RequestPermissionRequest['toolCall'],
  options: PermissionOption[],
): Promise<string | undefined> {
  try {
    const { outcome } = await context.request(
      methods.client.session.requestPermission,
      { sessionId, toolCall, options },
      { cancellationSignal: settled, stopWaitingOnCancel: true },
    )
    return outcome.outcome === 'selected' ? outcome.optionId : undefined
  } catch {
    return undefined
  }
}

const permissionAnswers: Readonly<Record<string, object>> = {
  once: { reply: 'once' },
  session: { reply: 'always', scope: 'session' },
  always: { reply: 'always' },
  reject: { reply: 'reject' },
}

function permissionOptions({ save }: PermissionRequest): PermissionOption[] {
  const lasting: PermissionOption[] =
    (save ?? []).length === 0
      ? []
      : [
          { optionId: 'session', name: 'Allow for this session', kind: 'allow_always' },
          { optionId: 'always', name: 'Always allow in this project', kind: 'allow_always' },
        ]
  return [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    ...lasting,
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ]
}

function permissionCall({ id, action, resources, metadata = {}, source }: PermissionRequest, directory: string) {
  const patch = textIn(metadata, 'diff')
  const why = ['command', 'outside', 'unparsed', 'reach'].map((name) => textIn(metadata, name))
  const said = why.filter((text) => text !== undefined).map(textContent)
  const content: ToolCallContent[] = patch === undefined ? said : [...diffContent(patch, directory), ...said]
  return {
    toolCallId: source === undefined ? id : callId(source.messageID, source.callID),
    title: `${action} ${resources.join(', ')}`,
    kind: kindOf(action),
    status: 'pending' as const,
    ...(content.length === 0 ? {} : { content }),
  }
}

function questionOptions({ options }: QuestionItem): PermissionOption[] {
  return [
    ...options.map(({ label }, at) => ({ optionId: String(at), name: label, kind: 'allow_once' as const })),
    { optionId: 'none', name: 'Do not answer', kind: 'reject_once' },
  ]
}

function questionCall({ id, tool }: QuestionRequest, { question, options }: QuestionItem) {
  const said = options.filter(({ description }) => description !== '')
  return {
    toolCallId: tool === undefined ? id : callId(tool.messageID, tool.callID),
    title: question,
    kind: 'other' as const,
    status: 'pending' as const,
    ...(said.length === 0
      ? {}
      : { content: [textContent(said.map(({ label, description }) => `${label}: ${description}`).join('\n'))] }),
  }
}
