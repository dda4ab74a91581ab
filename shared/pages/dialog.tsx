/** A question or a detail above the page. The browser keeps focus inside, closes on Esc and gives focus back. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export function Dialog(props: {
  title: string
  look?: 'danger' | 'wide'
  onClose: () => void
  children: ComponentChildren
}) {
  const frame = useRef<HTMLDialogElement>(null)
  const title = useId()
  // Before the paint: what had the focus is known, and no key goes to the page below.
  useLayoutEffect(() => {
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
      class={`dialog ${props.look ?? ''}`}
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
