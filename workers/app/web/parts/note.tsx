/** A condition of a page or list, with its reason and the way out. */
import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../api-client.ts'
import { failureText } from '../model/failure-words.ts'
import { words } from '../words/words.ts'
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

/** Our words, then the server's, in the language it speaks. */
export function FailureWords({ failure }: { failure: ApiFailure }) {
  return (
    <>
      {failureText(words.value.failures, failure.code)}
      {failure.message === '' ? null : (
        <>
          {' '}
          <span lang="zh-CN">{failure.message}</span>
        </>
      )}
    </>
  )
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
