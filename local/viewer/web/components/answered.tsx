/** What stands on screen for an answer in each of its states; a view only writes the state in which it is there. */
import type { ComponentChildren } from 'preact'
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
  const isShown = data !== undefined && (isCurrent || props.keepsOld === true)
  if (failure !== undefined && !(isShown && isCurrent)) return <FailureNote failure={failure} retry={props.of.reload} />
  if (!isShown) return <Skeleton rows={props.skeletonRows ?? 6} />
  return (
    <>
      {failure === undefined ? null : (
        <FailureNote lead={words.value.failed.stale} failure={failure} retry={props.of.reload} />
      )}
      {props.children(data)}
    </>
  )
}
