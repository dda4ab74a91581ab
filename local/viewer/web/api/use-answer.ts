/** An answer on screen: shown from memory where it is known, kept while it is read again, dropped when it comes too late. */
import { type ReadonlySignal, signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { generation } from '../live.ts'
import { type Answer, type ApiFailure, ask, type Question } from './client.ts'

interface Reading<T> {
  /** The last answer; of the address before it while `isCurrent` is false. */
  readonly data: T | undefined
  readonly isCurrent: boolean
  /** Why the last reading failed; `data` is then of an earlier one. */
  readonly failure: ApiFailure | undefined
  readonly busy: boolean
}

export interface LiveAnswer<T> {
  readonly reading: ReadonlySignal<Reading<T>>
  readonly reload: () => void
}

interface Kept {
  /** The index it was read from, by number. */
  readonly generation: number
  readonly value: unknown
}
const kept = new Map<string, Kept>()
const keptMax = 64

function keep(address: string, entry: Kept): void {
  kept.delete(address)
  kept.set(address, entry)
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
}

interface Asked {
  readonly generation: number
  readonly answer: Promise<Answer<unknown>>
  readonly stop: AbortController
  /** Views that wait for it; the last one that no longer does stops it. */
  takers: number
}
const underWay = new Map<string, Asked>()

/** One question at a time: whoever has the same one shares the answer. */
function begin(address: string, now: number): Asked {
  const known = underWay.get(address)
  if (known?.generation === now) return known
  const stop = new AbortController()
  const answer = ask<unknown>({ address }, stop.signal).then((came) => {
    // Nobody waits for it any more, or a newer index is being asked.
    if (underWay.get(address)?.stop !== stop) return came
    underWay.delete(address)
    if (came.ok) keep(address, { generation: now, value: came.value })
    else kept.delete(address)
    return came
  })
  const asked = { generation: now, answer, stop, takers: 0 }
  underWay.set(address, asked)
  return asked
}

const isKnown = (address: string, now: number): boolean => kept.get(address)?.generation === now

/** Asks before there is a view that shows it; the view that comes takes the answer over. */
export function askAhead(questions: readonly Question<unknown>[]): void {
  const now = generation.peek()
  for (const { address } of questions) if (!isKnown(address, now)) begin(address, now)
}

/** Counts what was kept by other means than asking, so that those who show it look again. */
const written = signal(0)

/** What a write answered is the newest there is: everyone who shows it has it at once. */
export function put<T>(what: Question<T>, value: T): void {
  keep(what.address, { generation: generation.peek(), value })
  written.value += 1
}

const nothing: Reading<never> = { data: undefined, isCurrent: false, failure: undefined, busy: true }

function known<T>(what: Question<T> | undefined): Reading<T> {
  const entry = what === undefined ? undefined : kept.get(what.address)
  return entry === undefined ? nothing : { data: entry.value as T, isCurrent: true, failure: undefined, busy: false }
}

/** `undefined` asks nothing. */
export function useAnswer<T>(what: Question<T> | undefined): LiveAnswer<T> {
  const reading = useSignal<Reading<T>>(known(what))
  const shown = useRef(what?.address)
  const seen = useRef(written.peek())
  const again = useSignal(0)
  const address = what?.address
  const now = generation.value
  const tries = again.value
  const writes = written.value
  // What is known of a new address, or was just written, stands at once, without a frame of what was there before.
  if (shown.current !== address || seen.current !== writes) {
    const isOther = shown.current !== address
    shown.current = address
    seen.current = writes
    const found = known(what)
    if (found.isCurrent) reading.value = found
    else if (isOther) reading.value = { ...reading.peek(), isCurrent: false, failure: undefined, busy: true }
  }

  // Asked while the view is being made, not once it has been drawn: the server works in the meantime.
  const asked = useMemo(
    () => (address === undefined || isKnown(address, now) ? undefined : begin(address, now)),
    [address, now, tries],
  )

  useLayoutEffect(() => {
    if (address === undefined || asked === undefined) return
    let isWanted = true
    asked.takers += 1
    reading.value = { ...reading.peek(), busy: true }
    void asked.answer.then((answer) => {
      if (!isWanted) return
      reading.value = answer.ok
        ? { data: answer.value as T, isCurrent: true, failure: undefined, busy: false }
        : { ...reading.peek(), failure: answer.failure, busy: false }
    })
    return () => {
      isWanted = false
      asked.takers -= 1
      // A view that is being put in place of this one may want the same, and says so in a moment.
      queueMicrotask(() => {
        if (asked.takers > 0) return
        asked.stop.abort()
        if (underWay.get(address) === asked) underWay.delete(address)
      })
    }
  }, [address, now, tries])

  return {
    reading,
    reload: () => {
      if (address !== undefined) kept.delete(address)
      again.value += 1
    },
  }
}
