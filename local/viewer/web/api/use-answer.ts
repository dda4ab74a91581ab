/** An answer on screen: shown from memory where it is known, kept while it is read again, dropped when it comes too late. */
import { type ReadonlySignal, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { generation } from '../live.ts'
import { type ApiFailure, ask, type Question } from './client.ts'

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

  useEffect(() => {
    if (address === undefined) return
    const entry = kept.get(address)
    if (entry?.generation === now) return
    const stop = new AbortController()
    reading.value = { ...reading.peek(), busy: true }
    void ask<T>({ address }, stop.signal).then((answer) => {
      if (stop.signal.aborted) return
      if (answer.ok) keep(address, { generation: now, value: answer.value })
      else kept.delete(address)
      reading.value = answer.ok
        ? { data: answer.value, isCurrent: true, failure: undefined, busy: false }
        : { ...reading.peek(), failure: answer.failure, busy: false }
    })
    return () => stop.abort()
  }, [address, now, tries])

  return {
    reading,
    reload: () => {
      if (address !== undefined) kept.delete(address)
      again.value += 1
    },
  }
}
