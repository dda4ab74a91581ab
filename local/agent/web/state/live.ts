/** What the process tells by itself: one stream for the whole page, and everyone who listens to it. */
import { signal } from '@preact/signals'
import { follow } from '../api/follow.ts'
import type { StreamEvent } from '../api/frames.ts'

export const connection = signal<'connecting' | 'on' | 'lost'>('connecting')

const listeners = new Set<(event: StreamEvent) => void>()

/** Returns what stops listening. */
export function onEvent(listener: (event: StreamEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function followServer(): void {
  follow({
    path: '/api/event',
    onEvent: (event) => {
      for (const listener of listeners) listener(event)
    },
    onState: (state) => {
      connection.value = state
    },
  })
}
