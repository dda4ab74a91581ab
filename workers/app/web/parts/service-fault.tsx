/** Why a service on the internet could not be read, in the page's language where the server's sentence is known. */

import { Note } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api-client.ts'
import { serviceFaultOf } from '../model/service-faults.ts'
import { words } from '../words/words.ts'
import { FailureWords } from './note.tsx'

export function ServiceFaultWords({ message }: { message: string }) {
  const fault = serviceFaultOf(message)
  return fault === undefined ? <span lang="zh-CN">{message}</span> : <span>{words.value.serviceFaults[fault]}</span>
}

export function ServiceFailureWords({ failure }: { failure: ApiFailure }) {
  return serviceFaultOf(failure.message) === undefined ? (
    <FailureWords failure={failure} />
  ) : (
    <ServiceFaultWords message={failure.message} />
  )
}

export function ServiceFailureNote(props: { lead: string; failure: ApiFailure; retry: () => void }) {
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        <button class="link-button" type="button" onClick={props.retry}>
          {words.value.common.retry}
        </button>
      }
    >
      <b>{props.lead} </b>
      <ServiceFailureWords failure={props.failure} />
    </Note>
  )
}
