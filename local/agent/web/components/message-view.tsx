/** One message of a transcript. */

import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { RichText } from '#shared/pages/rich-text.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { AssistantMessage, AssistantPart, Message } from '../../core/session/message.ts'
import { sessionWords } from '../locales/words.ts'
import { clock, seconds } from '../model/amounts.ts'
import { piecesOf } from '../model/text-pieces.ts'
import { Pictures } from './pictures.tsx'
import { InWords } from './states.tsx'
import { ToolCard } from './tool-card.tsx'

const noProgress: ReadonlyMap<string, string> = new Map()

export function MessageView(props: {
  message: Message
  session: string
  progress?: ReadonlyMap<string, string>
  /** What can be done from a prompt. */
  action?: ComponentChildren
}) {
  const { message } = props
  const say = sessionWords.value
  switch (message.type) {
    case 'user':
      return (
        <div class="turn me">
          <p dir="auto">{showUnseen(message.text)}</p>
          <Pictures files={message.files} />
          <span class="faint tiny">
            <time dateTime={new Date(message.time.created).toISOString()}>{clock(message.time.created)}</time>
            {message.files === undefined || message.files.length === 0
              ? null
              : ` · ${say.attached(message.files.length)}`}
            {props.action}
          </span>
        </div>
      )
    case 'assistant':
      return <Assistant message={message} session={props.session} progress={props.progress ?? noProgress} />
    case 'compaction':
      return (
        <Aside title={say.compacted(message.reason === 'manual')}>
          <Pieces text={message.summary} />
        </Aside>
      )
    case 'synthetic':
    case 'system':
      return (
        <Aside title={message.type === 'system' ? say.context : say.synthetic}>
          <Pieces text={message.text} />
        </Aside>
      )
    case 'agent-switched':
      return <Notice>{say.agentSwitched(message.agent)}</Notice>
    case 'model-switched':
      return <Notice>{say.modelSwitched(message.model.id)}</Notice>
  }
}

function Notice({ children }: { children: ComponentChildren }) {
  return (
    <p class="turn notice faint small">
      <Icon name="info" small /> <span>{children}</span>
    </p>
  )
}

function Aside({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="turn aside">
      <summary class="faint small">{title}</summary>
      {children}
    </details>
  )
}

/** A text that grows is drawn piece by piece: only its last one is looked at again. */
function Pieces({ text }: { text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, at) => (
        <RichText key={at} text={piece} />
      ))}
    </>
  )
}

function Assistant(props: { message: AssistantMessage; session: string; progress: ReadonlyMap<string, string> }) {
  const { message } = props
  const say = sessionWords.value
  const isLive = message.time.completed === undefined
  const { error } = message
  return (
    <div class="turn">
      {message.content.map((part, at) => (
        <Part
          key={part.id}
          part={part}
          session={props.session}
          progress={props.progress.get(part.id)}
          isLive={isLive && at === message.content.length - 1}
        />
      ))}
      {isLive && message.content.length === 0 ? <p class="live small faint">…</p> : null}
      {error === undefined ? null : error.reason === 'interrupted' ? (
        <p class="note part">
          <Icon name="stop" /> <span>{say.interrupted}</span>
        </p>
      ) : (
        <div class="note bad">
          <Icon name="warn" />
          <span>
            <b>{say.failed}</b> <InWords said={say.why(error)} message={error.message} />
          </span>
        </div>
      )}
    </div>
  )
}

function Part(props: { part: AssistantPart; session: string; progress: string | undefined; isLive: boolean }) {
  const { part, isLive } = props
  const say = sessionWords.value
  if (part.type === 'tool') return <ToolCard part={part} progress={props.progress} parent={props.session} />
  if (part.text === '') return null
  if (part.type === 'text')
    return (
      <div class={isLive ? 'said live' : 'said'}>
        <Pieces text={part.text} />
      </div>
    )
  const took = part.time?.completed === undefined ? undefined : part.time.completed - part.time.created
  return (
    <details class={`aside${isLive ? ' live' : ''}`}>
      <summary class="faint small">{took === undefined ? say.reasoning : say.reasoned(seconds(took))}</summary>
      <div class="muted">
        <Pieces text={part.text} />
      </div>
    </details>
  )
}
