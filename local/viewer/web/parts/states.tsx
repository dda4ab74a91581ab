/** Loading, empty, failed: the states in which there is nothing to show yet, and what to do about it. */
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../api/client.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'

const boneHeight = 30

/** Grey bars in the shape of the rows to come; the style sheet draws them, and holds them back for the first 200 ms. */
export function Bones({ rows = 6 }: { rows?: number }) {
  return (
    <div class="bones" aria-busy="true" style={{ height: `${rows * boneHeight}px` }}>
      <span class="vh" role="status">
        {words.value.loading}
      </span>
    </div>
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

export function Note(props: {
  tone?: 'warn' | 'bad'
  incomplete?: boolean
  role?: 'status' | 'alert'
  children: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div
      class={`note${props.tone === undefined ? '' : ` ${props.tone}`}${props.incomplete ? ' part' : ''}`}
      role={props.role}
    >
      <Icon name={props.tone === undefined ? 'info' : 'warn'} />
      <span>{props.children}</span>
      {props.action === undefined ? null : <span class="end">{props.action}</span>}
    </div>
  )
}

function failureText(code: string): string {
  const codes: Readonly<Record<string, string>> = words.value.failed.codes
  return codes[code] ?? words.value.failed.codes.other
}

/** Our words, then the server's, which are English. */
export function FailureNote(props: { lead?: string; failure: ApiFailure; retry?: () => void }) {
  const { failure } = props
  const said = [failure.message, failure.hint].filter((text) => text !== '').join(' ')
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        props.retry === undefined ? undefined : (
          <button class="link-button" type="button" onClick={props.retry}>
            {words.value.retry}
          </button>
        )
      }
    >
      <b>{props.lead ?? words.value.failed.lead}</b> {failureText(failure.code)}
      {said === '' ? null : (
        <>
          {' '}
          <span lang="en">{said}</span>
        </>
      )}
    </Note>
  )
}
