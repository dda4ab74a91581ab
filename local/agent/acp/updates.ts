/**
 * What an editor is told of a session, by its stored events as they come and by its messages where it is shown anew.
 * A call is named by message and call: some providers count their calls anew in every step.
 */
import path from 'node:path'
import type {
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk'
import { parsePatch } from 'diff'
import type { SessionEvent } from '../core/session/event.ts'
import type { JsonObject, Message, ToolContent, ToolPart } from '../core/session/message.ts'
import { textIn, toolSubject } from '../core/session/tool-subject.ts'

const kinds: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  list: 'read',
  skill: 'read',
  edit: 'edit',
  write: 'edit',
  apply_patch: 'edit',
  glob: 'search',
  grep: 'search',
  symbol: 'search',
  callers: 'search',
  impact: 'search',
  flow: 'search',
  tests_for: 'search',
  dead: 'search',
  bash: 'execute',
  bash_output: 'execute',
  bash_stop: 'execute',
  webfetch: 'fetch',
  websearch: 'search',
  task: 'think',
  todowrite: 'think',
}

export function kindOf(tool: string): ToolKind {
  return kinds[tool] ?? 'other'
}

export function callId(messageID: string, callID: string): string {
  return `${messageID}/${callID}`
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: textBlock(text) }
}

/** What is known of a call once its arguments are whole. */
function describeCall(tool: string, input: JsonObject, directory: string) {
  const subject = toolSubject(tool, input)
  return {
    title: subject === '' ? tool : `${tool} ${subject}`,
    kind: kindOf(tool),
    locations: locationsOf(tool, input, directory),
    rawInput: input,
  }
}

function locationsOf(tool: string, input: JsonObject, directory: string): ToolCallLocation[] {
  const names = tool === 'apply_patch' ? toolSubject(tool, input).split(', ') : [textIn(input, 'path') ?? '']
  const line = input['offset']
  return names
    .filter((name) => name !== '')
    .map((name) => ({ path: path.resolve(directory, name), ...(typeof line === 'number' ? { line } : {}) }))
}

/** Each hunk as the text that was there and the text that takes its place. */
export function diffContent(patch: string, directory: string): ToolCallContent[] {
  return parsePatch(patch).flatMap(({ newFileName = '', hunks }) =>
    hunks.map(({ lines, oldLines }) => {
      const side = (mark: string) =>
        lines
          .filter((line) => line.startsWith(' ') || line.startsWith(mark))
          .map((line) => `${line.slice(1)}\n`)
          .join('')
      const before = { oldText: oldLines === 0 ? null : side('-'), newText: side('+') }
      return { type: 'diff' as const, path: path.resolve(directory, newFileName), ...before }
    }),
  )
}

function planOf(todos: unknown): SessionUpdate {
  const entries = (Array.isArray(todos) ? (todos as Record<string, string>[]) : []).flatMap((todo): PlanEntry[] => {
    const { content = '', status, priority = 'medium' } = todo
    // What was called off is no longer planned.
    if (status === 'cancelled') return []
    return [{ content, status: status as PlanEntry['status'], priority: priority as PlanEntry['priority'] }]
  })
  return { sessionUpdate: 'plan', entries }
}

function contentOf(content: readonly ToolContent[], structured: JsonObject, directory: string): ToolCallContent[] {
  const patch = textIn(structured, 'diff')
  if (patch !== undefined) return diffContent(patch, directory)
  return content.flatMap((one): ToolCallContent[] => {
    if (one.type === 'text') return [textContent(one.text)]
    const inline = /^data:[^,]*;base64,(.+)$/s.exec(one.uri)?.[1]
    return inline === undefined || !one.mime.startsWith('image/')
      ? []
      : [{ type: 'content', content: { type: 'image', data: inline, mimeType: one.mime } }]
  })
}

function ended(
  id: string,
  outcome: { content: readonly ToolContent[]; structured: JsonObject },
  directory: string,
): ToolCallUpdate {
  const { content, structured } = outcome
  return {
    toolCallId: id,
    status: 'completed',
    content: contentOf(content, structured, directory),
    rawOutput: structured,
  }
}

function failed(id: string, message: string): ToolCallUpdate {
  return { toolCallId: id, status: 'failed', content: [textContent(message)] }
}

export function updatesOf(event: SessionEvent, directory: string): SessionUpdate[] {
  switch (event.type) {
    case 'session.next.text.delta':
      return [{ sessionUpdate: 'agent_message_chunk', content: textBlock(event.data.delta) }]
    case 'session.next.reasoning.delta':
      return [{ sessionUpdate: 'agent_thought_chunk', content: textBlock(event.data.delta) }]
    case 'session.next.tool.input.started': {
      const { assistantMessageID, callID, name } = event.data
      const id = callId(assistantMessageID, callID)
      return [{ sessionUpdate: 'tool_call', toolCallId: id, title: name, name, kind: kindOf(name), status: 'pending' }]
    }
    case 'session.next.tool.called': {
      const { assistantMessageID, callID, tool, input } = event.data
      const id = callId(assistantMessageID, callID)
      const call = describeCall(tool, input, directory)
      const update: SessionUpdate = {
        sessionUpdate: 'tool_call_update',
        toolCallId: id,
        status: 'in_progress',
        ...call,
      }
      return tool === 'todowrite' ? [update, planOf(input['todos'])] : [update]
    }
    case 'session.next.tool.success': {
      const { assistantMessageID, callID } = event.data
      return [
        { sessionUpdate: 'tool_call_update', ...ended(callId(assistantMessageID, callID), event.data, directory) },
      ]
    }
    case 'session.next.tool.failed': {
      const { assistantMessageID, callID, error } = event.data
      return [{ sessionUpdate: 'tool_call_update', ...failed(callId(assistantMessageID, callID), error.message) }]
    }
    case 'session.next.agent.switched':
      return [{ sessionUpdate: 'current_mode_update', currentModeId: event.data.agent }]
    default:
      return []
  }
}

/** A message that is shown anew. */
export function replayOf(message: Message, directory: string): SessionUpdate[] {
  if (message.type === 'user') {
    return [{ sessionUpdate: 'user_message_chunk', content: textBlock(message.text) }]
  }
  if (message.type !== 'assistant') return []
  return message.content.flatMap((part): SessionUpdate[] => {
    if (part.type === 'tool') return replayCall(message.id, part, directory)
    const sessionUpdate = part.type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk'
    return [{ sessionUpdate, content: textBlock(part.text) }]
  })
}

function replayCall(messageID: string, part: ToolPart, directory: string): SessionUpdate[] {
  const { name, state } = part
  const id = callId(messageID, part.id)
  if (state.status === 'pending') return []
  const end =
    state.status === 'completed'
      ? ended(id, state, directory)
      : failed(id, state.status === 'error' ? state.error.message : 'Not finished')
  const call: SessionUpdate = {
    sessionUpdate: 'tool_call',
    name,
    ...describeCall(name, state.input, directory),
    ...end,
  } as SessionUpdate
  return name === 'todowrite' ? [call, planOf(state.input['todos'])] : [call]
}
