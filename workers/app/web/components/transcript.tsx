/** What was said, asked and done in a conversation, oldest first; below it what is being written. */
import { useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { RichText } from '#shared/pages/rich-text.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { type Line, messagesShownMax, type Transcript, turnsOf, waitingOf } from '../model/transcript.ts'
import { Moment } from './figure.tsx'
import { RequestCard } from './request-card.tsx'
import { ToolCall } from './tool-line.tsx'

function OneLine({ line, canDecide, messages }: { line: Line; canDecide: boolean; messages: Transcript['messages'] }) {
  if (line.kind === 'answer') return <RichText text={line.text} />
  if (line.kind === 'notice')
    return (
      <p class="notice faint" dir="auto">
        <Icon name="info" /> {showUnseen(line.text)}
      </p>
    )
  const { confirmation } = line
  // What was not allowed was not called: the card says all there is.
  const isCalled = confirmation === undefined || confirmation.status === 'approved'
  return (
    <>
      {confirmation === undefined ? null : (
        <RequestCard key={confirmation.id} confirmation={confirmation} canDecide={canDecide} messages={messages} />
      )}
      {isCalled ? <ToolCall line={line} /> : null}
    </>
  )
}

function Mine({ text, at }: { text: string; at: string | undefined }) {
  return (
    <>
      <p dir="auto">{showUnseen(text)}</p>
      <span class="faint tiny">
        {at === undefined ? words.value.assistant.notStored : <Moment seconds={Date.parse(at) / 1000} />}
      </span>
    </>
  )
}

export function TranscriptView(props: {
  transcript: Transcript
  canDecide: boolean
  /** Sent and not among the messages yet. */
  outgoing: string | undefined
}) {
  const { transcript, canDecide, outgoing } = props
  const text = words.value.assistant
  const turns = useMemo(() => turnsOf(transcript), [transcript])
  return (
    <>
      {/* Whole messages are read out as they come; the text that is being written stays outside of the log. */}
      <div role="log" aria-label={text.transcript}>
        {transcript.messages.length < messagesShownMax ? null : (
          <p class="faint small">{text.earlierLeftOut(grouped(messagesShownMax))}</p>
        )}
        {turns.map(({ id, mine, lines }) => (
          <div key={id}>
            {mine === undefined ? null : (
              <div class="turn me">
                <Mine text={mine.content} at={mine.created_at} />
              </div>
            )}
            {lines.length === 0 ? null : (
              <div class="turn">
                {lines.map((line) => (
                  <OneLine key={line.id} line={line} canDecide={canDecide} messages={transcript.messages} />
                ))}
              </div>
            )}
          </div>
        ))}
      </div>
      {outgoing === undefined ? null : (
        <div class="turn me live">
          <Mine text={outgoing} at={undefined} />
        </div>
      )}
      {transcript.partial === '' ? null : (
        <div class="turn live">
          <RichText text={transcript.partial} />
        </div>
      )}
      {transcript.running ? (
        <p class="wait faint small">
          <span class="acc">
            <Icon name="m-part" />
          </span>{' '}
          {waitingOf(transcript).length > 0 ? text.asksYou : text.thinking}
        </p>
      ) : null}
    </>
  )
}
