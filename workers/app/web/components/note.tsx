/** A condition of a page or list, with its reason and the way out. */
import { FailedNote } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { failureText } from '../model/failure-words.ts'
import { ReasonWords } from './reason.tsx'

/** Why it did not work; of what says nothing of that, such as the page of a proxy in between, that it did not. */
export function FailureWords({ failure: { code, reason } }: { failure: ApiFailure }) {
  // What the page says of these two tells more than the reason.
  const isOwn = reason === undefined || reason.kind === 'internal' || reason.kind === 'account.unauthorized'
  return isOwn ? failureText(words.value.failures, code) : <ReasonWords reason={reason} todo />
}

/** Nothing where nothing failed. */
export function FailureNote(props: {
  lead?: string | undefined
  failure: ApiFailure | undefined
  retry?: () => void
  role?: 'status' | 'alert'
}) {
  return props.failure === undefined ? null : (
    <FailedNote
      lead={props.lead}
      retry={props.retry}
      retryWords={words.value.common.retry}
      {...(props.role === undefined ? {} : { role: props.role })}
    >
      <FailureWords failure={props.failure} />
    </FailedNote>
  )
}
