/**
 * What the terminal client shows of a message, piece by piece. Nothing of what a model, a file or a command says reaches the
 * terminal as a control sequence: signs that cannot be seen are replaced by one that can.
 */
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { AssistantPart, Message, ToolPart } from '../core/session/message.ts'
import { textIn, toolSubject } from '../core/session/tool-subject.ts'

export type Tone = 'user' | 'answer' | 'thought' | 'call' | 'output' | 'added' | 'removed' | 'problem' | 'note'

export interface ShownBlock {
  readonly id: string
  readonly lines: readonly { readonly tone: Tone; readonly text: string }[]
}

/** Of what a call said, as many lines from its end. */
const outputLinesMax = 8
const diffLinesMax = 40
const lineCharactersMax = 400

export function blocksOf(message: Message, progress: ReadonlyMap<string, string>): readonly ShownBlock[] {
  switch (message.type) {
    case 'user':
      return [
        {
          id: message.id,
          lines: [line('user', namesOf(message)), ...linesOf('user', message.text)].filter(({ text }) => text !== ''),
        },
      ]
    case 'assistant':
      return [
        ...message.content.flatMap((part) => blockOf(part, progress)),
        ...(message.error === undefined
          ? []
          : [{ id: `${message.id}-error`, lines: linesOf('problem', `✗ ${message.error.message}`) }]),
      ]
    case 'compaction':
      return [{ id: message.id, lines: [line('note', 'The conversation was summarised to save room')] }]
    case 'synthetic':
    case 'system':
      return [{ id: message.id, lines: linesOf('note', message.text) }]
    case 'agent-switched':
      return [{ id: message.id, lines: [line('note', `Agent: ${message.agent}`)] }]
    case 'model-switched':
      return [{ id: message.id, lines: [line('note', `Model: ${message.model.providerID}/${message.model.id}`)] }]
  }
}

function namesOf(message: Extract<Message, { type: 'user' }>): string {
  return (message.files ?? []).map(({ name, uri }) => `[${name ?? lastName(uri)}]`).join(' ')
}

function lastName(uri: string): string {
  if (uri.startsWith('data:')) return 'attachment'
  const name = uri.slice(uri.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function blockOf(part: AssistantPart, progress: ReadonlyMap<string, string>): readonly ShownBlock[] {
  if (part.type === 'text') return [{ id: part.id, lines: [{ tone: 'answer', text: showUnseen(part.text) }] }]
  if (part.type === 'reasoning')
    return part.text.trim() === '' ? [] : [{ id: part.id, lines: linesOf('thought', part.text.trim()) }]
  return [{ id: part.id, lines: [callLine(part), ...outcomeLines(part, progress.get(part.id))] }]
}

const marks = { pending: '…', running: '…', completed: '✓', error: '✗' } as const

function callLine({ name, state }: ToolPart) {
  const subject = state.status === 'pending' ? '' : toolSubject(name, state.input)
  return line(state.status === 'error' ? 'problem' : 'call', `${marks[state.status]} ${name} ${subject}`.trimEnd())
}

function outcomeLines({ name, state }: ToolPart, progress: string | undefined) {
  if (state.status === 'error') return linesOf('problem', state.error.message).slice(0, outputLinesMax)
  if (state.status === 'running') return tail(linesOf('output', progress ?? ''))
  if (state.status !== 'completed') return []
  const diff = textIn(state.structured, 'diff')
  if (diff !== undefined) return diffLines(diff)
  if (name === 'todowrite') return todoLines(state.input['todos'])
  if (name === 'read' || name === 'list' || name === 'grep' || name === 'glob') return []
  const said = state.content.map((item) => (item.type === 'text' ? item.text : `[${item.mime}]`)).join('\n')
  return tail(linesOf('output', said))
}

const todoMarks: Readonly<Record<string, string>> = { completed: '✓', in_progress: '›', cancelled: '-' }

function todoLines(todos: unknown): ShownBlock['lines'] {
  if (!Array.isArray(todos)) return []
  return (todos as readonly { readonly content: string; readonly status: string }[]).map(({ content, status }) =>
    line('output', `${todoMarks[status] ?? '·'} ${content}`),
  )
}

/** A patch without its heads. */
export function diffLines(patch: string): ShownBlock['lines'] {
  const lines = patch.split('\n').filter((text) => /^[ +-]/.test(text) && !/^(?:---|\+\+\+) /.test(text))
  const shown = lines.slice(0, diffLinesMax).map((text) => {
    const tone = text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'output'
    return line(tone, text)
  })
  return lines.length <= diffLinesMax ? shown : [...shown, line('note', `(${lines.length - diffLinesMax} more lines)`)]
}

function tail(lines: ShownBlock['lines']): ShownBlock['lines'] {
  const hidden = lines.length - outputLinesMax
  return hidden <= 0 ? lines : [line('note', `(${hidden} lines before)`), ...lines.slice(hidden)]
}

function linesOf(tone: Tone, text: string): ShownBlock['lines'] {
  return text.trimEnd() === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((one) => line(tone, one))
}

function line(tone: Tone, text: string) {
  const shown = showUnseen(text).replaceAll('\t', '  ')
  return { tone, text: shown.length <= lineCharactersMax ? shown : `${shown.slice(0, lineCharactersMax)}…` }
}
