/** One conversation: what was said in it, and where the next message is written. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { sendMessage, stopAnswer } from '../api/assistant.ts'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { hasArrived, type Outgoing, waitingOf } from '../model/transcript.ts'
import { useConversation } from '../use-conversation.ts'
import { Composer } from './composer.tsx'
import { Skeleton } from './list-states.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { TranscriptView } from './transcript.tsx'

/** Why a message did not go out, in words that fit here. */
export function NotSent({ failure }: { failure: ApiFailure }) {
  const known: Readonly<Record<string, string>> = words.value.assistant.sendFailures
  return (
    <Note tone="bad" role="alert">
      <b>{words.value.assistant.notSent} </b>
      {Object.hasOwn(known, failure.code) ? known[failure.code] : <FailureWords failure={failure} />}
    </Note>
  )
}

/** So near to the end counts as there: a line that grows must not lose it. */
const nearEndPixels = 96

function pixelsToEnd(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY
}

/** Stays at the end while that grows, unless somebody went up to read. Answers whether they did. */
function useEnd(grown: unknown): { isAway: Signal<boolean>; goToEnd: () => void } {
  const isAway = useSignal(false)
  const goToEnd = () => scrollTo(0, document.documentElement.scrollHeight)
  useLayoutEffect(() => {
    if (!isAway.peek()) goToEnd()
  }, [grown])
  useEffect(() => {
    const note = () => {
      isAway.value = pixelsToEnd() > nearEndPixels
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [isAway])
  return { isAway, goToEnd }
}

export function ConversationView(props: {
  id: string
  draft: Signal<string>
  canDecide: boolean
  /** In place of the composer where nothing can be sent. */
  closed: ComponentChildren | undefined
  /** Its first message was just written. */
  isNew: boolean
  /** An answer began or ended: the list shows that too. */
  onTurn: () => void
}) {
  const { id, draft } = props
  const text = words.value.assistant
  const { state, tryNow } = useConversation(id)
  const { transcript, failure } = state.value
  const outgoing = useSignal<Outgoing | undefined>(undefined)
  const notSent = useSignal<ApiFailure | undefined>(undefined)
  const notStopped = useSignal<ApiFailure | undefined>(undefined)
  const { isAway, goToEnd } = useEnd(transcript)
  const running = transcript?.running
  const wasRunning = useRef(running)

  useEffect(() => {
    if (wasRunning.current !== undefined && running !== wasRunning.current) props.onTurn()
    wasRunning.current = running
  }, [running])

  async function send(said: string): Promise<void> {
    if (transcript === undefined) return
    const mine: Outgoing = { text: said, after: transcript.messages.at(-1)?.id, id: undefined }
    outgoing.value = mine
    notSent.value = undefined
    draft.value = ''
    goToEnd()
    const answer = await sendMessage(id, said)
    if (answer.ok) {
      outgoing.value = { ...mine, id: answer.value.message.id }
      return
    }
    outgoing.value = undefined
    notSent.value = answer.failure
    // What was begun meanwhile is not written over.
    if (draft.value === '') draft.value = said
  }

  async function stop(): Promise<void> {
    notStopped.value = undefined
    const answer = await stopAnswer(id)
    if (!answer.ok) notStopped.value = answer.failure
  }

  if (failure?.status === 404)
    return (
      <section class="chat" aria-label={text.transcript}>
        <div class="talk">
          <Empty title={text.gone} body={text.goneBody}>
            <a class="btn" href="#/assistant">
              {text.all}
            </a>
          </Empty>
        </div>
      </section>
    )
  const pending =
    transcript === undefined || outgoing.value === undefined || hasArrived(transcript, outgoing.value)
      ? undefined
      : outgoing.value
  return (
    <section class="chat" aria-label={text.transcript}>
      <div class="talk">
        {transcript === undefined ? (
          failure === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <FailureNote lead={words.value.common.loadFailed} failure={failure} retry={tryNow} />
          )
        ) : (
          <TranscriptView transcript={transcript} canDecide={props.canDecide} outgoing={pending?.text} />
        )}
      </div>
      <div class="foot">
        {isAway.value ? (
          <button class="btn to-end" type="button" onClick={goToEnd}>
            <Icon name="down" />
            {text.toEnd}
          </button>
        ) : null}
        {transcript !== undefined && failure !== undefined ? (
          <Note
            tone="warn"
            incomplete
            role="status"
            action={
              <button class="link-button" type="button" onClick={tryNow}>
                {words.value.common.retry}
              </button>
            }
          >
            <b>{text.lost}</b> {text.lostBody}
          </Note>
        ) : null}
        {notSent.value === undefined ? null : <NotSent failure={notSent.value} />}
        <FailureNote lead={text.notStopped} failure={notStopped.value} />
        {props.closed ?? (
          <Composer
            draft={draft}
            busy={transcript === undefined || pending !== undefined}
            running={running === true}
            waiting={transcript === undefined ? 0 : waitingOf(transcript).length}
            takesFocus={props.isNew}
            onSend={(said) => void send(said)}
            onStop={() => void stop()}
          />
        )}
      </div>
    </section>
  )
}
