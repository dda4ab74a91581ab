/**
 * One session on screen: its newest messages first, older ones when they are asked for, and from there on the durable
 * stream, which goes on after the last event that the messages hold. Events are taken in once a frame.
 */
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Message, SessionRecord } from '../../core/session/message.ts'
import { projectMessage, projectRecord } from '../../core/session/project.ts'
import type { ApiFailure } from '../api/ask.ts'
import { follow } from '../api/follow.ts'
import type { StreamEvent } from '../api/frames.ts'
import { routes } from '../api/routes.ts'
import { type Queued, queueOf, stamped } from '../model/transcript.ts'
import { onEvent } from './live.ts'
import { type PromptDraft, promptDraft } from './prompt-draft.ts'

/** A message and who is told when it changes: one that grows costs the others nothing. */
export interface Cell {
  readonly id: string
  readonly message: Signal<Message>
}

export interface OpenSession {
  readonly id: string
  readonly record: ReadonlySignal<SessionRecord | undefined>
  readonly cells: ReadonlySignal<readonly Cell[]>
  readonly failure: ReadonlySignal<ApiFailure | undefined>
  readonly isLost: ReadonlySignal<boolean>
  readonly queue: ReadonlySignal<readonly Queued[]>
  readonly draft: PromptDraft
  /** What commands that run have said last, by their call. */
  readonly progress: ReadonlySignal<ReadonlyMap<string, string>>
  readonly hasOlder: ReadonlySignal<boolean>
  readonly isReadingOlder: ReadonlySignal<boolean>
  readOlder(): Promise<void>
  /** The reader is at the end: what lies far above it is let go of, and can be read again. */
  trim(): void
  close(): void
}

/** The first page is what one sees: few enough to be drawn at once. */
const firstMessages = 20
const olderMessages = 40
/** More than these are not kept while the reader is at the end. */
const keptMessages = 200
const trimmedTo = 120

export function openSession(id: string): OpenSession {
  const record = signal<SessionRecord | undefined>(undefined)
  const cells = signal<readonly Cell[]>([])
  const failure = signal<ApiFailure | undefined>(undefined)
  const isLost = signal(false)
  const queue = signal<readonly Queued[]>([])
  const progress = signal<ReadonlyMap<string, string>>(new Map())
  const older = signal<string | undefined>(undefined)
  const hasOlder = signal(false)
  const isReadingOlder = signal(false)
  const byId = new Map<string, Cell>()
  let isClosed = false
  let waiting: StreamEvent[] = []
  let frame: number | undefined
  let stopStream: () => void = () => undefined

  const cellOf = (message: Message): Cell => {
    const cell = { id: message.id, message: signal(message) }
    byId.set(message.id, cell)
    return cell
  }

  function take(event: StreamEvent): void {
    const happened = stamped(event, Date.now())
    record.value = projectRecord(happened, record.peek())
    const change = projectMessage(happened, (messageId) => byId.get(messageId)?.message.peek())
    if (change.kind === 'put') {
      const cell = byId.get(change.message.id)
      if (cell === undefined) cells.value = [...cells.peek(), cellOf(change.message)]
      else cell.message.value = change.message
    } else if (change.kind === 'drop_from') {
      const from = cells.peek().findIndex((cell) => cell.id === change.messageId)
      // What was taken back begins before what is on screen: nothing of that is left.
      if (from === -1) return void reload()
      for (const cell of cells.peek().slice(from)) byId.delete(cell.id)
      cells.value = cells.peek().slice(0, from)
    }
    if (event.type === 'session.next.tool.success' || event.type === 'session.next.tool.failed') {
      const callId = String(event.data['callID'])
      if (progress.peek().has(callId)) {
        const rest = new Map(progress.peek())
        rest.delete(callId)
        progress.value = rest
      }
    }
  }

  function takeWaiting(): void {
    frame = undefined
    const events = waiting
    waiting = []
    batch(() => {
      for (const event of events) take(event)
      queue.value = queueOf(events, queue.peek())
    })
  }

  /** A page that nobody sees draws no frames: what is told meanwhile must not pile up. */
  function soon(event: StreamEvent): void {
    waiting.push(event)
    if (document.hidden) takeWaiting()
    else frame ??= requestAnimationFrame(takeWaiting)
  }

  const stopProgress = onEvent(({ type, data }) => {
    if (type !== 'session.tool.progress' || data['sessionID'] !== id) return
    progress.value = new Map([...progress.peek(), [String(data['callID']), String(data['output'])]])
  })

  async function reload(): Promise<void> {
    stopStream()
    waiting = []
    const [session, page] = await Promise.all([
      routes.session(id),
      routes.messages(id, { limit: String(firstMessages) }),
    ])
    if (isClosed) return
    if (!session.ok || !page.ok) {
      failure.value = session.ok ? (page.ok ? undefined : page.failure) : session.failure
      if (failure.value?.code === 'offline') setTimeout(() => isClosed || void reload(), 1_000)
      return
    }
    batch(() => {
      failure.value = undefined
      record.value = session.value.data
      byId.clear()
      cells.value = page.value.data.toReversed().map(cellOf)
      older.value = page.value.cursor.next
      hasOlder.value = older.value !== undefined
    })
    const { seq } = page.value
    // Before the stream, which tells what became of them from the messages on: nothing is between the two.
    const waits = await routes.waitingPrompts(id)
    if (isClosed) return
    queue.value = waits.ok ? waits.value.data : []
    stopStream = follow({
      path: `/api/session/${id}/event`,
      lastId: `${id}:${seq}`,
      onEvent: soon,
      onState: (state) => {
        isLost.value = state === 'lost'
      },
      onRefused: () => isClosed || void reload(),
    })
  }
  void reload()

  return {
    id,
    record,
    cells,
    failure,
    isLost,
    queue,
    draft: promptDraft(() => record.peek()?.location.directory),
    progress,
    hasOlder,
    isReadingOlder,
    async readOlder() {
      const cursor = older.peek()
      if (cursor === undefined || isReadingOlder.peek()) return
      isReadingOlder.value = true
      const page = await routes.messages(id, { limit: String(olderMessages), cursor })
      isReadingOlder.value = false
      if (isClosed || !page.ok || older.peek() !== cursor) return
      batch(() => {
        const found = page.value.data.filter((message) => !byId.has(message.id)).toReversed()
        cells.value = [...found.map(cellOf), ...cells.peek()]
        older.value = page.value.cursor.next
        hasOlder.value = older.value !== undefined
      })
    },
    trim() {
      const all = cells.peek()
      const first = all.at(-trimmedTo)
      if (all.length <= keptMessages || first === undefined) return
      void reload()
    },
    close() {
      isClosed = true
      if (frame !== undefined) cancelAnimationFrame(frame)
      stopStream()
      stopProgress()
    },
  }
}
