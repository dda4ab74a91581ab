/** A question or a detail above the page. The browser keeps focus inside, closes on Esc and gives focus back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { words } from '../words/words.ts'

export function Dialog(props: {
  title: string
  tone?: 'danger'
  wide?: boolean
  onClose: () => void
  children: ComponentChildren
}) {
  const frame = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => {
    const dialog = frame.current
    const before = document.activeElement
    dialog?.showModal()
    // The least harmful control has the focus first, never the one that destroys.
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={frame}
      class={`dialog${props.tone === 'danger' ? ' danger' : ''}${props.wide ? ' wide' : ''}`}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
    >
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}

/** The second step before something is destroyed: what, how much, and Cancel first. */
export function Confirm(props: {
  title: string
  body: string
  action: string
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
  children?: ComponentChildren
}) {
  return (
    <Dialog title={props.title} tone="danger" onClose={props.onCancel}>
      <p class="muted">{props.body}</p>
      {props.children}
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={props.onCancel}>
          {words.value.common.cancel}
        </button>
        <button class="btn danger" type="button" disabled={props.busy} onClick={props.onConfirm}>
          {props.action}
        </button>
      </div>
    </Dialog>
  )
}
