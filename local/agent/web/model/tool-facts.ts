/** What a tool call is about, in the few words of its line. Pure; what is said of it is the page's. */
import type { JsonObject, ToolPart } from '../../core/session/message.ts'
import { textIn, toolSubject } from '../../core/session/tool-subject.ts'
import { countsOf, readPatch } from './patch.ts'
import { certainIn } from './report.ts'

/** What answers from the code index, as a report by parts. */
const indexKinds = ['symbol', 'callers', 'impact', 'flow', 'tests_for', 'dead'] as const

const toolKinds = [
  'read',
  'write',
  'edit',
  'apply_patch',
  'list',
  'grep',
  'glob',
  'bash',
  'bash_output',
  'bash_stop',
  'task',
  'question',
  'todowrite',
  'skill',
  'remember',
  'forget',
  'webfetch',
  'websearch',
  ...indexKinds,
  'tool_search',
] as const
type ToolKind = (typeof toolKinds)[number]

export interface ToolFacts {
  /** Undefined for a tool of a server: its own name is shown. */
  readonly kind: ToolKind | undefined
  /** What it is done to: a path, a command, an address. */
  readonly subject: string
  readonly patch: string | undefined
  readonly added: number
  readonly deleted: number
  readonly lines: number | undefined
  readonly matches: number | undefined
  readonly exit: number | undefined
  /** Of a question to the code index. */
  readonly isReport: boolean
  readonly certain: number | undefined
  /** A command that goes on beside the turn. */
  readonly isInBackground: boolean
  /** Who does a task. */
  readonly agent: string | undefined
  /** The session of a task. */
  readonly child: string | undefined
  readonly output: string
}

function numberIn(values: JsonObject, name: string): number | undefined {
  const value = values[name]
  return typeof value === 'number' ? value : undefined
}

export function factsOf(part: ToolPart): ToolFacts {
  const { state } = part
  const input = state.status === 'pending' ? {} : state.input
  const structured = state.status === 'pending' ? {} : state.structured
  const kind = toolKinds.find((one) => one === part.name)
  const patch = textIn(structured, 'diff')
  const { added, deleted } = countsOf(patch === undefined ? [] : readPatch(patch))
  const content = state.status === 'pending' ? [] : state.content
  const output = content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
  const isReport = indexKinds.some((one) => one === kind)
  return {
    kind,
    subject: toolSubject(part.name, input),
    patch,
    added,
    deleted,
    lines: numberIn(structured, 'lines'),
    matches: numberIn(structured, 'matches') ?? numberIn(structured, 'count'),
    exit: kind === 'bash' ? numberIn(structured, 'exit') : undefined,
    child: textIn(structured, 'sessionID'),
    isReport,
    certain: isReport ? certainIn(output) : undefined,
    isInBackground: kind === 'bash' && input['background'] === true,
    agent: kind === 'task' ? textIn(input, 'agent') : undefined,
    output,
  }
}

const leftOutLinesMin = 6

/** The beginning and the end of a long output, and how many lines lie between them. */
export function headAndTail(
  text: string,
  headLines: number,
  tailLines: number,
): { readonly head: string; readonly left: number; readonly tail: string } {
  const lines = text.split('\n')
  const left = lines.length - headLines - tailLines
  // To unfold a few lines takes more than to see them.
  if (left < leftOutLinesMin) return { head: text, left: 0, tail: '' }
  return { head: lines.slice(0, headLines).join('\n'), left, tail: lines.slice(-tailLines).join('\n') }
}
