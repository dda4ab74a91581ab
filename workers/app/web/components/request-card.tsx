/** An action that waits for its owner's yes: what it does, what it touches, how long it waits. One card, in its place. */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { isTyping } from '#shared/pages/keys.ts'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { WireConfirmation, WireMessage } from '../../contract/assistant.ts'
import { decide } from '../api/assistant.ts'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, ratioText } from '../model/amounts.ts'
import { waitLeft } from '../model/tool-facts.ts'
import { type TouchedTorrent, touchedTorrents, withoutTargets } from '../model/touched-torrents.ts'
import { letterKeys } from '../preferences.ts'
import { Figure, Moment } from './figure.tsx'
import { FailureNote } from './note.tsx'
import { Arguments } from './tool-line.tsx'
import { Name } from './torrent-name.tsx'

const settledMarks: Readonly<Record<Exclude<WireConfirmation['status'], 'pending'>, readonly [IconName, string]>> = {
  approved: ['m-done', 'good'],
  denied: ['close', 'faint'],
  expired: ['clock', 'faint'],
}

/** In the page's language; what was asked before its facts were kept is the sentence of then. */
function Sentence({ confirmation: { change, summary } }: { confirmation: WireConfirmation }) {
  if (change === undefined) return <bdi lang="zh-CN">{showUnseen(summary)}</bdi>
  return <bdi>{showUnseen(words.value.assistant.change(change))}</bdi>
}

function Settled({ confirmation, isMine }: { confirmation: WireConfirmation; isMine: boolean }) {
  const { status, decided_at, decided_by } = confirmation
  const text = words.value.assistant
  if (status === 'pending') return null
  const [mark, tone] = settledMarks[status]
  const by = isMine ? text.byYou : decided_by === undefined ? undefined : text.byAnotherWindow
  const at = decided_at === undefined ? undefined : Date.parse(decided_at) / 1000
  return (
    <p>
      <span class={tone}>
        <Icon name={mark} />
      </span>{' '}
      <b>{text.settled[status]}</b> <Sentence confirmation={confirmation} />{' '}
      {at === undefined ? null : (
        <span class="faint">
          <Moment seconds={at} />
        </span>
      )}{' '}
      {by === undefined ? null : <span class="faint">{by}</span>}
    </p>
  )
}

/** Counted down by itself, so that nothing else is drawn anew each second. */
function TimeLeft({ confirmation }: { confirmation: WireConfirmation }) {
  const nowMs = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      nowMs.value = Date.now()
    }, 1000)
    return () => clearInterval(timer)
  }, [nowMs])
  const left = waitLeft(confirmation.expires_at, confirmation.created_at, nowMs.value)
  const text = words.value.assistant
  return (
    // Its role keeps each second from being read out.
    <span class="faint small num" role="timer">
      {left === undefined ? text.timeUp : text.left(left)}
    </span>
  )
}

function Touched({ torrents }: { torrents: readonly TouchedTorrent[] }) {
  return (
    <ul class="targets small">
      {torrents.map(({ taskId, title, size, ratio }) => (
        <li key={taskId} title={title === undefined ? taskId : showUnseen(title)}>
          {title === undefined ? <code class="cut">{showUnseen(taskId)}</code> : <Name name={showUnseen(title)} />}
          <span class="num">{size === undefined ? null : <Figure amount={bytesAmount(size)} />}</span>
          <span class="num faint">
            {ratio === undefined ? null : `${words.value.torrents.columns.ratio} ${ratioText(ratio)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Shown while the card has the focus: the letters work nowhere else. */
function Key({ letter }: { letter: string }) {
  return letterKeys.value ? <kbd class="wide-only">{letter}</kbd> : null
}

/** How its yes is called. Only what deletes files is marked as destroying. */
function approvalWords({ tool, arguments: given }: WireConfirmation): { approve: string; isDanger: boolean } {
  const text = words.value.assistant
  const isDanger = tool === 'delete_torrent' && given['delete_files'] === true
  const known: Readonly<Record<string, string>> = text.approve
  const approve = isDanger ? text.approveDelete : Object.hasOwn(known, tool) ? known[tool] : undefined
  return { approve: approve ?? text.approveOther, isDanger }
}

export function RequestCard(props: {
  confirmation: WireConfirmation
  canDecide: boolean
  /** What the conversation read so far. */
  messages: readonly WireMessage[]
}) {
  const { confirmation, canDecide } = props
  const text = words.value.assistant
  const card = useRef<HTMLDivElement>(null)
  const title = useId()
  const busy = useSignal(false)
  const answered = useSignal<WireConfirmation | undefined>(undefined)
  const isElsewhere = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const shown = confirmation.status === 'pending' ? (answered.value ?? confirmation) : confirmation
  const isPending = shown.status === 'pending'
  const { approve, isDanger } = approvalWords(confirmation)
  const rest = withoutTargets(confirmation.arguments)
  const touched = useMemo(() => touchedTorrents(confirmation.arguments, props.messages), [confirmation.id])

  useEffect(() => {
    // What somebody is writing goes on; a letter meant for that must not become an answer.
    if (isPending && canDecide && !isTyping(document.activeElement)) card.current?.focus()
  }, [])

  async function answer(approve: boolean): Promise<void> {
    if (busy.value || !isPending || !canDecide || isElsewhere.value) return
    busy.value = true
    failure.value = undefined
    // The buttons go; the place stays.
    card.current?.focus()
    const said = await decide(confirmation.id, approve)
    busy.value = false
    if (said.ok) answered.value = said.value
    else if (said.failure.code === 'decided' || said.failure.status === 404) isElsewhere.value = true
    else failure.value = said.failure
  }

  function onKey(event: KeyboardEvent): void {
    if (!letterKeys.value || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target))
      return
    const key = event.key.toLowerCase()
    if (key !== 'y' && key !== 'x') return
    event.preventDefault()
    void answer(key === 'y')
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no heading of this shape
    <div
      ref={card}
      class={isPending ? `ask${isDanger ? ' danger' : ''}` : 'ask settled small'}
      role="group"
      aria-labelledby={isPending ? title : undefined}
      aria-label={isPending ? undefined : text.settled[shown.status === 'pending' ? 'expired' : shown.status]}
      tabIndex={-1}
      data-request={isPending ? confirmation.id : undefined}
      onKeyDown={onKey}
    >
      {isPending ? (
        <>
          <p class="ask-h">
            <span class={isDanger ? 'bad' : 'acc'}>
              <Icon name="shield" />
            </span>
            <b id={title} dir="auto">
              <Sentence confirmation={confirmation} />
            </b>
            <TimeLeft confirmation={confirmation} />
          </p>
          {touched.length === 0 ? null : <Touched torrents={touched} />}
          {Object.keys(rest).length === 0 ? null : (
            <div class="touches small">
              <Arguments given={rest} />
            </div>
          )}
          <details class="small">
            <summary class="faint">{text.showArguments}</summary>
            <pre class="code argbox" dir="ltr">
              {confirmation.tool} {showUnseen(JSON.stringify(confirmation.arguments, null, 2))}
            </pre>
          </details>
          <FailureNote lead={text.notDecided} failure={failure.value} />
          {isElsewhere.value ? (
            <p class="small" role="status">
              {text.decidedElsewhere}
            </p>
          ) : canDecide ? (
            <div class="btns">
              <button
                class={isDanger ? 'btn danger' : 'btn'}
                type="button"
                disabled={busy.value}
                onClick={() => void answer(true)}
              >
                {approve}
                <Key letter="Y" />
              </button>
              <button class="btn" type="button" disabled={busy.value} onClick={() => void answer(false)}>
                {text.deny}
                <Key letter="X" />
              </button>
              <span class="faint small">{isDanger ? text.deleteHint : text.approveHint}</span>
            </div>
          ) : (
            <p class="faint small">{text.cannotDecide}</p>
          )}
        </>
      ) : (
        <Settled confirmation={shown} isMine={answered.value !== undefined} />
      )}
    </div>
  )
}
