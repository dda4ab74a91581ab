/** What the server does to all torrents that match: followed while it is under way, also by a page that was opened since. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { TorrentRunBody, WireTorrentRun } from '../contract/torrent-runs.ts'
import type { Answer, ApiFailure } from './api/call.ts'
import {
  beginTorrentRun,
  fetchTorrentRun,
  fetchTorrentRuns,
  stopTorrentRun,
  undoTorrentRun,
} from './api/downloaders.ts'

const lookMs = 700

export interface FollowedRun {
  readonly run: ReadonlySignal<WireTorrentRun | undefined>
  /** Why it was not begun, or cannot be followed. */
  readonly failure: ReadonlySignal<ApiFailure | undefined>
  readonly begin: (body: TorrentRunBody) => Promise<boolean>
  readonly stop: () => void
  readonly undo: () => void
  readonly forget: () => void
}

export function useTorrentRun(onMoved: () => Promise<unknown>): FollowedRun {
  const run = useSignal<WireTorrentRun | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const latest = useRef(onMoved)
  latest.current = onMoved

  async function take(answer: Promise<Answer<WireTorrentRun>>): Promise<boolean> {
    const came = await answer
    failure.value = came.ok ? undefined : came.failure
    if (came.ok) run.value = came.value
    return came.ok
  }

  async function onShown(ask: (id: number) => Promise<Answer<WireTorrentRun>>): Promise<void> {
    const id = run.peek()?.id
    if (id !== undefined) await take(ask(id))
  }

  useEffect(() => {
    let isOver = false
    void fetchTorrentRuns().then((answer) => {
      const underWay = answer.ok ? answer.value.items.find(({ status }) => status === 'running') : undefined
      if (!isOver && run.peek() === undefined) run.value = underWay
    })
    return () => {
      isOver = true
    }
  }, [run])

  const shown = run.value
  useEffect(() => {
    if (shown?.status !== 'running') return undefined
    const timer = setTimeout(async () => {
      // A look that fails is tried again: the run goes on without this page.
      const came = await fetchTorrentRun(shown.id)
      if (run.peek() !== shown) return
      run.value = came.ok ? came.value : { ...shown }
      if (came.ok && came.value.status !== 'running') void latest.current()
    }, lookMs)
    return () => clearTimeout(timer)
  }, [shown, run])

  return {
    run,
    failure,
    begin: (body) => take(beginTorrentRun(body)),
    stop: () => void onShown(stopTorrentRun),
    undo: () => void onShown(undoTorrentRun),
    forget: () => {
      run.value = undefined
      failure.value = undefined
    },
  }
}
