/** A condition of a page or list, with its reason and the way out. */

import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../api-client.ts'
import { failureText } from '../model/failure-words.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { ReasonWords } from './reason.tsx'

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

/** Why it did not work; of what says nothing of that, such as the page of a proxy in between, that it did not. */
export function FailureWords({ failure: { code, reason } }: { failure: ApiFailure }) {
  // What the page says of these two tells more than the reason.
  const isOwn = reason === undefined || reason.kind === 'internal' || reason.kind === 'account.unauthorized'
  return isOwn ? failureText(words.value.failures, code) : <ReasonWords reason={reason} todo />
}

export function FailureNote(props: {
  lead?: string
  failure: ApiFailure
  retry?: () => void
  role?: 'status' | 'alert'
}) {
  return (
    <Note
      tone="bad"
      role={props.role ?? 'alert'}
      action={
        props.retry === undefined ? undefined : (
          <button class="link-button" type="button" onClick={props.retry}>
            {words.value.common.retry}
          </button>
        )
      }
    >
      {props.lead === undefined ? null : <b>{props.lead} </b>}
      <FailureWords failure={props.failure} />
    </Note>
  )
}
