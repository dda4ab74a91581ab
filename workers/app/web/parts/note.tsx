/** A condition of a page or list, with its reason and the way out. */
import { FailedNote } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api-client.ts'
import { failureText } from '../model/failure-words.ts'
import { words } from '../words/words.ts'

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
