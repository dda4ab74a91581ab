/** One call of a tool: a line that says what and how it ended, and behind it what it was given and what it said. */
import { useSignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { ToolPart } from '../../core/session/message.ts'
import { toolWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { seconds } from '../model/amounts.ts'
import type { Ask } from '../model/asks.ts'
import { splitReach } from '../model/report.ts'
import { factsOf, type ToolFacts } from '../model/tool-facts.ts'
import type { Todo } from '../model/transcript.ts'
import { asks, sessions, waitingCalls } from '../state/sessions.ts'
import { LongText } from './long-text.tsx'
import { Changed, PatchView } from './patch-view.tsx'
import { Pictures } from './pictures.tsx'
import { ReportView } from './report-view.tsx'
import { InWords } from './states.tsx'
import { ChildView, Whole } from './whole.ts'

const marks = { pending: 'm-guess', running: 'm-guess', completed: 'm-done', error: 'm-bad' } as const
const tones = { pending: 'acc', running: 'acc', completed: 'good', error: 'bad' } as const

/** What is worth seeing without being asked for. */
function opensByItself(
  { name, state }: ToolPart,
  { patch, exit = 0 }: ToolFacts,
  progress: string | undefined,
): boolean {
  if (state.status === 'running') return progress !== undefined
  return patch !== undefined || exit !== 0 || state.status === 'error' || name === 'todowrite' || name === 'question'
}

export function ToolCard({ part, progress, parent }: { part: ToolPart; progress: string | undefined; parent: string }) {
  const say = toolWords.value
  const facts = factsOf(part)
  const chosen = useSignal<boolean | undefined>(undefined)
  const isOpen = chosen.value ?? opensByItself(part, facts, progress)
  const isWhole = useContext(Whole)
  const { status } = part.state
  const isLive = status === 'pending' || status === 'running'
  const isAsked = asks.value.some(({ request }) => request.sessionID === parent && callOf(request) === part.id)
  const isBehind = isLive && waitingCalls.value.get(parent)?.includes(part.id) === true
  const state = isLive && isAsked ? 'waits' : isBehind ? 'behind' : status
  const isBad = status === 'error' || (facts.exit !== undefined && facts.exit !== 0)
  // A question takes as long as its owner.
  const took =
    part.time.completed === undefined || facts.kind === 'question'
      ? undefined
      : part.time.completed - (part.time.ran ?? part.time.created)
  return (
    <details
      class={`tool${isLive && !isBehind ? ' live' : ''}`}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) chosen.value = currentTarget.open
      }}
    >
      <summary>
        <span class={isBad ? 'bad' : isBehind ? 'faint' : tones[status]}>
          <Icon name={(isBad ? 'm-bad' : isBehind ? 'm-off' : marks[status]) as IconName} />
        </span>
        <span class="tn">{facts.kind === undefined ? part.name : say.names[facts.kind]}</span>
        <code class="cut muted">{showUnseen(facts.subject)}</code>
        <span class="vh">{say.states[state]}</span>
        <span class="faint small end">{isLive ? say.states[state] : <Facts part={part} facts={facts} />}</span>
        <span class="faint small num">{took === undefined ? '' : seconds(took)}</span>
      </summary>
      {isOpen || isWhole ? (
        <div class="tool-in">
          <Inside part={part} facts={facts} progress={progress} parent={parent} />
        </div>
      ) : null}
    </details>
  )
}

function callOf(request: Ask['request']): string | undefined {
  return ('tool' in request ? request.tool : 'source' in request ? request.source : undefined)?.callID
}

function todosIn(part: ToolPart): readonly Todo[] {
  const given = part.state.status === 'pending' ? undefined : part.state.input['todos']
  return Array.isArray(given) ? (given as Todo[]) : []
}

function Facts({ part, facts }: { part: ToolPart; facts: ToolFacts }) {
  const say = toolWords.value
  if (part.state.status === 'error')
    return <span class="bad">{part.state.error.reason === 'refused' ? say.states.refused : say.states.error}</span>
  if (facts.patch !== undefined) return <Changed added={facts.added} deleted={facts.deleted} />
  if (facts.exit !== undefined && facts.exit !== 0) return <span class="bad">{say.exit(facts.exit)}</span>
  if (facts.lines !== undefined) return <>{say.lines(facts.lines)}</>
  if (facts.matches !== undefined) return <>{say.matches(facts.matches)}</>
  if (facts.certain !== undefined) return <>{say.certain(facts.certain)}</>
  if (facts.isInBackground) return <>{say.inBackground}</>
  if (facts.agent !== undefined) return <>{showUnseen(facts.agent)}</>
  const todos = todosIn(part)
  if (facts.kind === 'todowrite') {
    const open = todos.filter(({ status }) => status === 'pending' || status === 'in_progress').length
    const dropped = todos.filter(({ status }) => status === 'cancelled').length
    return <>{say.open(open, todos.length, dropped)}</>
  }
  return null
}

function Inside(props: { part: ToolPart; facts: ToolFacts; progress: string | undefined; parent: string }) {
  const { part, facts } = props
  const say = toolWords.value
  const { state } = part
  if (state.status === 'pending') return <LongText text={showUnseen(state.input)} />
  if (facts.kind === 'todowrite') return <TodoList todos={todosIn(part)} />
  if (facts.kind === 'task') return <Task {...props} />
  return (
    <>
      {facts.kind === 'bash' && facts.subject !== state.input['command'] ? (
        <LongText text={showUnseen(String(state.input['command'] ?? ''))} />
      ) : null}
      {facts.kind === undefined ? <LongText text={JSON.stringify(state.input, null, 2)} /> : null}
      {facts.patch === undefined ? null : <PatchView patch={facts.patch} />}
      {state.status === 'running' && props.progress !== undefined ? (
        <LongText text={showUnseen(props.progress)} />
      ) : null}
      {state.status === 'error' ? (
        <p class="bad">
          <InWords said={say.why(state.error)} message={state.error.message} />
        </p>
      ) : null}
      <Output facts={facts} />
      <Pictures files={state.content.flatMap((one) => (one.type === 'file' ? [one] : []))} />
      {state.status === 'completed' && state.outputPaths !== undefined ? (
        <p class="small faint">{say.keptWhole}</p>
      ) : null}
    </>
  )
}

function Output({ facts }: { facts: ToolFacts }) {
  if (facts.output === '') return null
  if (facts.isReport) return <ReportView report={facts.output} />
  if (facts.patch === undefined) return <LongText text={showUnseen(facts.output)} />
  // That a file was changed is seen above; what else is said of it is not.
  const { said, reach } = splitReach(facts.output)
  return (
    <>
      {said.includes('\n') ? <LongText text={showUnseen(said)} /> : null}
      {reach === undefined ? null : <ReportView report={reach} />}
    </>
  )
}

export function TodoList({ todos }: { todos: readonly Todo[] }) {
  const say = toolWords.value
  const icons = { pending: 'm-off', in_progress: 'm-part', completed: 'm-done', cancelled: 'close' } as const
  return (
    <ul class="todos">
      {todos.map((todo, at) => (
        <li key={at} class={todo.status === 'completed' || todo.status === 'cancelled' ? 'muted' : ''}>
          <span class={todo.status === 'completed' ? 'good' : todo.status === 'in_progress' ? 'acc' : 'faint'}>
            <Icon name={icons[todo.status]} />
          </span>
          <span class={todo.status === 'cancelled' ? 'grow struck' : 'grow'}>{showUnseen(todo.content)}</span>
          <span class="vh">{say.todo[todo.status]}</span>
        </li>
      ))}
    </ul>
  )
}

/** While it runs nobody says which session it has: it is the newest one of this parent with its name. */
function Task({ part, facts, parent }: { part: ToolPart; facts: ToolFacts; parent: string }) {
  const say = toolWords.value
  const { state } = part
  const Child = useContext(ChildView)
  const title = state.status === 'pending' ? '' : state.input['description']
  const child = facts.child ?? (sessions.value ?? []).find((one) => one.parentID === parent && one.title === title)?.id
  return (
    <>
      {Child === undefined || child === undefined ? null : (
        <>
          <p class="small">
            <a class="link" href={sessionHref(child)}>
              {say.openChild}
            </a>
          </p>
          <Child id={child} />
        </>
      )}
      {state.status === 'error' ? (
        <p class="bad">
          <InWords said={say.why(state.error)} message={state.error.message} />
        </p>
      ) : null}
      {(Child === undefined || child === undefined) && facts.output !== '' ? (
        <LongText text={showUnseen(facts.output)} />
      ) : null}
    </>
  )
}
