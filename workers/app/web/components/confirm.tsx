import type { ComponentChildren } from 'preact'
import { Dialog } from '#shared/pages/dialog.tsx'
import { words } from '../locales/words.ts'

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
    <Dialog title={props.title} look="danger" onClose={props.onCancel}>
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
