/** Conditions of a page or list, and what a list shows that has no rows. */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export function Note(props: {
  tone?: 'warn' | 'bad' | 'good'
  incomplete?: boolean
  role?: 'status' | 'alert'
  children: ComponentChildren
  action?: ComponentChildren
}) {
  const tone = props.tone === undefined || props.tone === 'good' ? '' : ` ${props.tone}`
  return (
    <div class={`note${tone}${props.incomplete ? ' part' : ''}`} role={props.role}>
      <Icon name={props.tone === 'good' ? 'check' : props.tone === undefined ? 'info' : 'warn'} />
      <span>{props.children}</span>
      {props.action === undefined ? null : <span class="end">{props.action}</span>}
    </div>
  )
}

/** What went wrong, and where something can be done about it the way to try again. */
export function FailedNote(props: {
  lead: string | undefined
  role?: 'status' | 'alert'
  retry: (() => void) | undefined
  retryWords: string
  children: ComponentChildren
}) {
  return (
    <Note
      tone="bad"
      role={props.role ?? 'alert'}
      action={
        props.retry === undefined ? undefined : (
          <button class="link-button" type="button" onClick={props.retry}>
            {props.retryWords}
          </button>
        )
      }
    >
      {props.lead === undefined ? null : <b>{props.lead} </b>}
      {props.children}
    </Note>
  )
}

export function Empty(props: { title: string; body?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <b>{props.title}</b>
      {props.body === undefined ? null : <p>{props.body}</p>}
      {props.children === undefined ? null : <div class="btns">{props.children}</div>}
    </div>
  )
}
