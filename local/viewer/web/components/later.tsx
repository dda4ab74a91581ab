/** A view that is read when it is first asked for: what every reader waits for at the start stays small. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Route } from '../model/address.ts'
import { FailureNote, Skeleton } from './states.tsx'

type View = ComponentType<{ route: Route }>

const notReached = { code: 'offline', status: 0, message: '', hint: '' } as const

export function later(load: () => Promise<View>): View {
  const there = signal<View | undefined>(undefined)
  const hasFailed = signal(false)
  const read = (): void => {
    hasFailed.value = false
    load().then(
      (view) => {
        there.value = view
      },
      () => {
        hasFailed.value = true
      },
    )
  }
  return function Later(props) {
    const Loaded = there.value
    useEffect(() => {
      if (there.peek() === undefined) read()
    }, [])
    if (Loaded !== undefined) return <Loaded {...props} />
    return (
      <div class="page">
        {hasFailed.value ? <FailureNote failure={notReached} retry={read} /> : <Skeleton rows={14} />}
      </div>
    )
  }
}
