import { type Signal, useSignal } from '@preact/signals'
import type { Answer } from '../api-client.ts'
import { Confirm } from './confirm.tsx'

interface Item {
  readonly id: number | string
  readonly name: string
}

/** Asks before one row of a list goes for good; `after` shows what came of it. */
export function ConfirmRemoval<T extends Item, Done>(props: {
  /** What is to go; nothing is asked while there is none. */
  wanted: Signal<T | undefined>
  title: (name: string) => string
  body: string
  action: string
  remove: (id: T['id']) => Promise<Answer<Done>>
  after: (answer: Answer<Done>) => Promise<void>
}) {
  const busy = useSignal(false)
  const wanted = props.wanted.value
  if (wanted === undefined) return null

  async function remove(id: T['id']): Promise<void> {
    busy.value = true
    const answer = await props.remove(id)
    busy.value = false
    props.wanted.value = undefined
    await props.after(answer)
  }

  return (
    <Confirm
      title={props.title(wanted.name)}
      body={props.body}
      action={props.action}
      busy={busy.value}
      onCancel={() => {
        props.wanted.value = undefined
      }}
      onConfirm={() => void remove(wanted.id)}
    />
  )
}
