import { type Signal, useSignal } from '@preact/signals'
import { setting } from '#shared/pages/set.ts'
import type { Answer } from '../api/call.ts'
import { Confirm } from './confirm.tsx'

export interface Removable {
  readonly id: number | string
  readonly name: string
}

export interface RemovalText {
  readonly confirmRemove: (name: string) => string
  readonly confirmRemoveBody: string
  readonly doRemove: string
}

/** Asks before one row of a list goes for good; `after` shows what came of it. */
export function ConfirmRemoval<T extends Removable, Done>(props: {
  /** What is to go; nothing is asked while there is none. */
  wanted: Signal<T | undefined>
  text: RemovalText
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
      title={props.text.confirmRemove(wanted.name)}
      body={props.text.confirmRemoveBody}
      action={props.text.doRemove}
      busy={busy.value}
      onCancel={setting(props.wanted, undefined)}
      onConfirm={() => void remove(wanted.id)}
    />
  )
}
