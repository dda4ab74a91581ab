/** Loading, empty, failed: the states in which there is nothing to show yet, and what to do about it. */
import { Bars } from '#shared/pages/loaded.tsx'
import { FailedNote } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api/client.ts'
import { words } from '../locales/words.ts'

export function Skeleton({ rows = 6 }: { rows?: number | undefined }) {
  return <Bars rows={rows}>{words.value.loading}</Bars>
}

function failureText(code: string): string {
  const codes: Readonly<Record<string, string>> = words.value.failed.codes
  return codes[code] ?? words.value.failed.codes.other
}

/** Our words, then the server's, which are English. */
export function FailureNote(props: { lead?: string | undefined; failure: ApiFailure; retry?: () => void }) {
  const { failure } = props
  const said = [failure.message, failure.hint].filter((text) => text !== '').join(' ')
  return (
    <FailedNote lead={props.lead ?? words.value.failed.lead} retry={props.retry} retryWords={words.value.retry}>
      {failureText(failure.code)}
      {said === '' ? null : (
        <>
          {' '}
          <span lang="en">{said}</span>
        </>
      )}
    </FailedNote>
  )
}
