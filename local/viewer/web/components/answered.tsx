/** What stands on screen for an answer in each of its states; a view only writes the state in which it is there. */
import type { ComponentChildren } from 'preact'
import { Loaded } from '#shared/pages/loaded.tsx'
import type { LiveAnswer } from '../api/use-answer.ts'
import { words } from '../locales/words.ts'
import { FailureNote, Skeleton } from './states.tsx'

export function Answered<T>(props: {
  of: LiveAnswer<T>
  skeletonRows?: number
  /** Shows the answer of the address before while the next one is read, as a search does while one types. */
  keepsOld?: boolean
  children: (data: T) => ComponentChildren
}) {
  const { data, isCurrent, failure } = props.of.reading.value
  const hasFailed = failure !== undefined
  return (
    <Loaded
      data={isCurrent || (props.keepsOld === true && !hasFailed) ? data : undefined}
      hasFailed={hasFailed}
      note={
        hasFailed ? (
          <FailureNote
            lead={isCurrent && data !== undefined ? words.value.failed.stale : undefined}
            failure={failure}
            retry={props.of.reload}
          />
        ) : null
      }
      bars={<Skeleton rows={props.skeletonRows} />}
    >
      {props.children}
    </Loaded>
  )
}
