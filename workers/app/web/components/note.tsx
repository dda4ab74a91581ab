/** A condition of a page or list, with its reason and the way out. */
import { FailedNote } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api/call.ts'
import { areSentencesDue, reasonSentence, words } from '../locales/words.ts'
import { failureText } from '../model/failure-words.ts'
import { ReasonWords } from './reason.tsx'

/** Why it did not work; of what says nothing of that, such as the page of a proxy in between, that it did not. */
export function FailureWords({ failure: { code, reason } }: { failure: ApiFailure }) {
  // What the page says of these two tells more than the reason. Others it can only say with its sentences.
  const isOwn =
    reason === undefined ||
    reason.kind === 'internal' ||
    reason.kind === 'account.unauthorized' ||
    reasonSentence(reason) === ''
  return isOwn ? failureText(words.value.failures, code) : <ReasonWords reason={reason} todo />
}

/** Nothing where nothing failed, and until all of it can be said: who hears it would hear half of it, and then all of it. */
export function FailureNote(props: {
  lead?: string | undefined
  failure: ApiFailure | undefined
  retry?: () => void
  role?: 'status' | 'alert'
}) {
  const { failure } = props
  return failure === undefined || (failure.reason !== undefined && areSentencesDue()) ? null : (
    <FailedNote
      lead={props.lead}
      retry={props.retry}
      retryWords={words.value.common.retry}
      {...(props.role === undefined ? {} : { role: props.role })}
    >
      <FailureWords failure={failure} />
    </FailedNote>
  )
}
