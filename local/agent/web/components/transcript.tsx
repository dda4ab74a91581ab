/** The messages of a session with what waits in it, held at their end while the reader is there. */

import { signal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { Message } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { sessionWords, words } from '../locales/words.ts'
import type { Queued } from '../model/transcript.ts'
import { useActions } from '../state/kit.ts'
import type { Cell, OpenSession } from '../state/open-session.ts'
import { asks, familyOf } from '../state/sessions.ts'
import { AskCard } from './ask-card.tsx'
import { ChildTranscript } from './child-transcript.tsx'
import { MessageView } from './message-view.tsx'
import { FailureNote, Skeleton } from './states.tsx'
import { ChildView } from './whole.ts'

/** Whether the reader sees the newest of it. */
export const isAtEnd = signal(true)
const nearEndPx = 80
/** This near to the top what is older is read ahead. */
const nearTopPx = 600
/** What is told to those who listen, of a message that is whole. */
const toldCharactersMax = 600

export function scrollToEnd(): void {
  isAtEnd.value = true
  window.scrollTo(0, document.documentElement.scrollHeight)
}

/** Follows the end as it grows, and keeps the place when something is put above it. */
function useScrolling(session: OpenSession) {
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    isAtEnd.value = true
    let before = window.scrollY
    let wasHidden = false
    /** While a panel has its place, the window's scrolling is not the reader's in here. */
    const isHidden = (): boolean => log.current?.offsetParent === null
    const growth = new ResizeObserver(() => {
      const returns = wasHidden
      wasHidden = isHidden()
      if (wasHidden) return
      if (isAtEnd.peek()) scrollToEnd()
      else if (returns) window.scrollTo(0, before)
    })
    if (log.current !== null) growth.observe(log.current)
    const onScroll = (): void => {
      if (isHidden()) return
      const { scrollHeight, clientHeight } = document.documentElement
      const now = window.scrollY
      const isNear = scrollHeight - clientHeight - now < nearEndPx
      // Content that grows moves the end away from a reader who did not move: only a move upwards leaves it.
      if (isNear || now < before) isAtEnd.value = isNear
      before = now
      if (isNear) session.trim()
      else if (now < nearTopPx && session.hasOlder.peek()) void readOlder(session)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growth.disconnect()
      window.removeEventListener('scroll', onScroll)
    }
  }, [session])
  return log
}

/** How high the page was before what is older was put above it; undefined while nothing is on its way. */
let heightBefore: number | undefined

async function readOlder(session: OpenSession): Promise<void> {
  if (session.isReadingOlder.peek()) return
  heightBefore = document.documentElement.scrollHeight
  await session.readOlder()
}

export function Transcript({ session }: { session: OpenSession }) {
  const say = sessionWords.value
  const log = useScrolling(session)
  const record = session.record.value
  const cells = session.cells.value
  const family = familyOf(session.id)
  const waiting = asks.value.filter(({ request }) => family.has(request.sessionID))
  const oldest = cells[0]?.id
  // Before the paint: what the reader looks at does not move.
  useLayoutEffect(() => {
    if (heightBefore !== undefined && !isAtEnd.peek())
      window.scrollBy(0, document.documentElement.scrollHeight - heightBefore)
    heightBefore = undefined
  }, [oldest])
  const revertFrom = record?.revert?.messageID
  const taken = revertFrom === undefined ? -1 : cells.findIndex(({ id }) => id === revertFrom)
  return (
    <div class="log" ref={log}>
      {record === undefined && session.failure.value === undefined ? <Skeleton rows={8} /> : null}
      {session.hasOlder.value ? (
        <p class="older">
          <button
            class="btn quiet"
            type="button"
            disabled={session.isReadingOlder.value}
            onClick={() => void readOlder(session)}
          >
            <Icon name="up" />
            {say.older}
          </button>
        </p>
      ) : null}
      <ChildView.Provider value={ChildTranscript}>
        {cells.map((cell, at) => (
          <Fragment key={cell.id}>
            {at === taken ? <Staged session={session} /> : null}
            <CellView cell={cell} session={session} isTaken={taken !== -1 && at >= taken} />
          </Fragment>
        ))}
      </ChildView.Provider>
      {revertFrom !== undefined && taken === -1 ? <Staged session={session} /> : null}
      {waiting.map((ask) => (
        <AskCard key={ask.request.id} ask={ask} session={session.id} />
      ))}
      {session.queue.value.map((one) => (
        <QueuedPrompt key={one.id} session={session} queued={one} />
      ))}
      <Told cells={cells} />
    </div>
  )
}

function CellView({ cell, session, isTaken }: { cell: Cell; session: OpenSession; isTaken: boolean }) {
  const message = cell.message.value
  return (
    <div class={isTaken ? 'msg-row taken' : 'msg-row'}>
      <MessageView
        message={message}
        session={session.id}
        progress={session.progress.value}
        action={message.type === 'user' && !isTaken ? <TakeBack session={session} from={message} /> : undefined}
      />
    </div>
  )
}

/** What is withdrawn goes back to where it was written. */
function QueuedPrompt({ session, queued }: { session: OpenSession; queued: Queued }) {
  const say = sessionWords.value
  const { failure, isBusy, act } = useActions()
  const withdraw = async () => {
    const withdrawn = await routes.withdraw(session.id, queued.id)
    if (withdrawn.ok) session.draft.putBack(withdrawn.value.data.prompt)
    return withdrawn
  }
  return (
    <div class="turn me live queued">
      <p dir="auto">{showUnseen(queued.text)}</p>
      <span class="faint tiny">
        {say.queued}: {say.queuedNote[queued.delivery]}
        {queued.files === 0 ? null : ` · ${say.attached(queued.files)}`}
        {' · '}
        <button class="link-button" type="button" disabled={isBusy} onClick={() => void act(withdraw)}>
          {say.withdraw}
        </button>
      </span>
      <FailureNote failure={failure.value} />
    </div>
  )
}

function TakeBack({ session, from }: { session: OpenSession; from: Message }) {
  const { failure, isBusy, act } = useActions()
  return (
    <>
      {' · '}
      <button
        class="link-button"
        type="button"
        disabled={isBusy}
        onClick={() => void act(() => routes.stage(session.id, from.id))}
      >
        {sessionWords.value.revertHere}
      </button>
      <FailureNote failure={failure.value} />
    </>
  )
}

/** What is taken back for now, with the way back and the way on. */
export function Staged({ session }: { session: OpenSession }) {
  const say = sessionWords.value
  const { failure, isBusy, act } = useActions()
  const revert = session.record.value?.revert
  if (revert === undefined) return null
  // With all that followed it the prompt is gone: it is written anew, or as it was.
  const commit = async () => {
    const prompt = session.cells
      .peek()
      .find(({ id }) => id === revert.messageID)
      ?.message.peek()
    const committed = await routes.commitRevert(session.id)
    if (committed.ok && prompt?.type === 'user') session.draft.putBack(prompt)
    return committed
  }
  return (
    <div class="ask staged" role="status">
      <p class="ask-h">
        <span class="warn">
          <Icon name="undo" />
        </span>
        <b>{say.staged(revert.files?.length ?? 0)}</b>
      </p>
      <p class="small muted">{say.stagedNote}</p>
      <FailureNote failure={failure.value} />
      <div class="btns">
        <button
          class="btn primary"
          type="button"
          disabled={isBusy}
          onClick={() => void act(() => routes.clearRevert(session.id))}
        >
          {say.undoRevert}
        </button>
        <button class="btn danger" type="button" disabled={isBusy} onClick={() => void act(commit)}>
          {say.commitRevert}
        </button>
      </div>
    </div>
  )
}

/** For those who listen: the last message once it is whole, and not each letter of it. */
function Told({ cells }: { cells: readonly Cell[] }) {
  const last = cells.at(-1)?.message.value
  const whole = last?.type === 'assistant' && last.time.completed !== undefined ? last : undefined
  const text = whole?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') ?? ''
  return (
    <div class="vh" role="log" aria-label={words.value.views.session}>
      {text.slice(0, toldCharactersMax)}
    </div>
  )
}
