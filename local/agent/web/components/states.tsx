/** Loading and failed, in our words first and the server's after them. */
import { FailedNote } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api/ask.ts'
import { words } from '../locales/words.ts'

export function Bones({ rows }: { rows: number }) {
  return (
    <div class="bones" aria-busy="true" style={{ height: `${rows * 30}px` }}>
      <span class="vh" role="status">
        {words.value.loading}
      </span>
    </div>
  )
}

export function FailureNote({ failure, retry }: { failure: ApiFailure; retry?: () => void }) {
  const { lead, codes } = words.value.failed
  const named: Readonly<Record<string, string>> = codes
  return (
    <FailedNote lead={lead} retry={retry} retryWords={words.value.retry}>
      {named[failure.code] ?? codes.other} {failure.message === '' ? null : <span lang="en">{failure.message}</span>}
    </FailedNote>
  )
}
