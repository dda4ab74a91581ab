/** Loading and failed, in our words first and the server's after them. */
import type { ComponentChildren } from 'preact'
import { Bars, Loaded as LoadedOf } from '#shared/pages/loaded.tsx'
import { FailedNote } from '#shared/pages/note.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { ApiFailure } from '../api/ask.ts'
import { words } from '../locales/words.ts'
import type { Reading } from '../state/use-read.ts'
import { PatchView } from './patch-view.tsx'

export function Skeleton({ rows }: { rows: number }) {
  return <Bars rows={rows}>{words.value.loading}</Bars>
}

/** Nothing where nothing failed, so that no part of a page asks. */
export function FailureNote({ failure, retry }: { failure: ApiFailure | undefined; retry?: () => void }) {
  if (failure === undefined) return null
  const { lead, codes, why, others, inTheWay } = words.value.failed
  const named: Readonly<Record<string, string>> = codes
  return (
    <>
      <FailedNote lead={lead} retry={retry} retryWords={words.value.retry}>
        {failure.files === undefined ? (named[failure.code] ?? codes.other) : others}{' '}
        {failure.message === '' ? null : <InWords said={why(failure.why)} message={failure.message} />}
      </FailedNote>
      {(failure.files ?? []).map(({ path, patch }) => (
        <details key={path} class="file-diff" open>
          <summary>
            <span class="mono cut">{path}</span> <span class="faint small">{inTheWay}</span>
          </summary>
          <PatchView patch={patch} />
        </details>
      ))}
    </>
  )
}

/** In the language of the page where it is known what the server says; otherwise in the server's own words. */
export function InWords({ said, message }: { said: string | undefined; message: string }) {
  const [open, close] = words.value.failed.quotes
  if (said !== undefined) return <>{showUnseen(said)}</>
  return (
    <>
      {open}
      <span lang="en">{showUnseen(message)}</span>
      {close}
    </>
  )
}

/** What was read, beside a failure of reading it again; until the first answer rows that wait for it. */
export function Loaded<T>(props: {
  reading: Reading<T>
  /** About how many rows there will be. */
  rows: number
  children: (value: T) => ComponentChildren
}) {
  const { value, failure, reload } = props.reading
  return (
    <LoadedOf
      data={value.value}
      hasFailed={failure.value !== undefined}
      note={<FailureNote failure={failure.value} retry={() => void reload()} />}
      bars={<Skeleton rows={props.rows} />}
    >
      {props.children}
    </LoadedOf>
  )
}
