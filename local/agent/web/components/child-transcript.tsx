/** What a sub-agent does, inside the call that began it. Read when it is opened, and again when it said something. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Message } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { onEvent } from '../state/live.ts'
import { MessageView } from './message-view.tsx'
import { Bones } from './states.tsx'

const shownMessages = 20
/** It writes letter by letter; it is read this often at the most. */
const readMsMin = 400

export function ChildTranscript({ id }: { id: string }) {
  const messages = useSignal<readonly Message[] | undefined>(undefined)
  useEffect(() => {
    let isGone = false
    let reading: ReturnType<typeof setTimeout> | undefined
    async function read(): Promise<void> {
      const page = await routes.messages(id, { limit: String(shownMessages) })
      if (page.ok && !isGone) messages.value = page.value.data.toReversed()
    }
    void read()
    const stop = onEvent(({ durable }) => {
      if (durable?.aggregateID !== id) return
      reading ??= setTimeout(() => {
        reading = undefined
        void read()
      }, readMsMin)
    })
    return () => {
      isGone = true
      clearTimeout(reading)
      stop()
    }
  }, [id])
  return (
    <div class="nested">
      {messages.value === undefined ? <Bones rows={2} /> : null}
      {(messages.value ?? []).map((message) => (
        <MessageView key={message.id} message={message} session={id} />
      ))}
    </div>
  )
}
