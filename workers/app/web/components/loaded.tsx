/** What stands on screen for a list in each of its states; a page only writes the one in which it is there. */
import type { ComponentChildren } from 'preact'
import { words } from '../locales/words.ts'
import type { Resource } from '../resource.ts'
import { Bones } from './list-states.tsx'
import { FailureNote } from './note.tsx'

/** What was read before stays below the reason why it could not be read again. */
export function Loaded<T>(props: { of: Resource<T>; bones?: number; children: (data: T) => ComponentChildren }) {
  const { data, failure } = props.of.state.value
  return (
    <>
      {failure === undefined ? null : (
        <FailureNote lead={words.value.common.loadFailed} failure={failure} retry={() => void props.of.reload()} />
      )}
      {data !== undefined ? (
        props.children(data)
      ) : failure === undefined ? (
        <Bones {...(props.bones === undefined ? {} : { rows: props.bones })} />
      ) : null}
    </>
  )
}
