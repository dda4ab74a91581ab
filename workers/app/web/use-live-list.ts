/** A part of the list of torrents as the server tells it by itself, while somebody looks at the page. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { own } from './api/call.ts'
import { type LiveState, nothingLive, takeLiveEvent } from './model/live-list.ts'

/** Where one scrolls by is not followed. */
const settleMs = 300
/** A server that refuses, or has too many to tell, is asked again after this; meanwhile the list is read in turns. */
const againMs = 30_000

interface Told extends LiveState {
  readonly of: string
  readonly atMs: number
}

/** `parameters` says which part; undefined while there is nothing to follow. Undefined too while the server tells nothing. */
export function useLiveList(parameters: string | undefined): ReadonlySignal<Told | undefined> {
  const live = useSignal<Told | undefined>(undefined)
  useEffect(() => {
    if (parameters === undefined || typeof EventSource === 'undefined') return undefined
    const of = parameters
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function close(): void {
      clearTimeout(timer)
      source?.close()
      source = undefined
    }
    function open(afterMs: number): void {
      close()
      timer = setTimeout(() => {
        let state = nothingLive
        source = new EventSource(`${own}/torrents/events?${of}`)
        for (const name of ['list', 'change', 'downloaders', 'groups'])
          source.addEventListener(name, ({ data }: MessageEvent<string>) => {
            state = takeLiveEvent(state, name, data)
            if (state.list !== undefined) live.value = { ...state, of, atMs: Date.now() }
          })
        source.addEventListener('error', () => {
          // It asks again by itself where the line broke, and has the whole part then.
          live.value = undefined
          if (source?.readyState === EventSource.CLOSED) open(againMs)
        })
      }, afterMs)
    }
    function onVisibility(): void {
      if (document.hidden) close()
      else open(0)
    }
    if (!document.hidden) open(settleMs)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [parameters, live])
  return live
}
