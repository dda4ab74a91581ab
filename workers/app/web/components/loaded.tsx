/** What stands on screen for what is read in each of its states; a page only writes the one in which it is there. */
import type { ComponentChildren } from 'preact'
import { Loaded as LoadedOf } from '#shared/pages/loaded.tsx'
import { words } from '../locales/words.ts'
import { momentText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import type { Resource } from '../resource.ts'
import { Skeleton } from './list-states.tsx'
import { FailureNote } from './note.tsx'

/** Why it could not be read, and of when what is there is. `quiet`: there is more on the screen than this. */
export function LoadFailure<T>({ of, lead, quiet }: { of: Resource<T>; lead?: string | undefined; quiet?: boolean }) {
  const { data, failure, at } = of.state.value
  const text = words.value.common
  if (failure === undefined) return null
  const isThere = data !== undefined
  return (
    <FailureNote
      lead={lead ?? (isThere ? text.stale(momentText(at, Date.now() / 1000, language.value)) : text.loadFailed)}
      role={isThere || quiet ? 'status' : 'alert'}
      failure={failure}
      retry={() => void of.reload()}
    />
  )
}

/**
 * What was read before stays below the reason why it could not be read again. `own`: but not what was read for another
 * key, such as another row.
 */
export function Loaded<T>(props: {
  of: Resource<T>
  skeletonRows?: number
  own?: boolean
  /** What is said before the reason why it could not be read. */
  lead?: string | undefined
  children: (data: T) => ComponentChildren
}) {
  const { failure, ...state } = props.of.state.value
  const data = props.own && !props.of.isOwn() ? undefined : state.data
  return (
    <LoadedOf
      data={data}
      hasFailed={failure !== undefined}
      note={<LoadFailure of={props.of} lead={props.lead} />}
      bars={<Skeleton rows={props.skeletonRows} />}
    >
      {props.children}
    </LoadedOf>
  )
}

/** Rows that are read, and what stands there instead of them. */
export function List<D extends { readonly items: readonly unknown[] }>({
  empty,
  children,
  ...props
}: Parameters<typeof Loaded<D>>[0] & { empty: ComponentChildren }) {
  return (
    <Loaded {...props}>
      {(data) => (data.items.length > 0 ? children(data) : props.of.isOwn() ? empty : <Skeleton />)}
    </Loaded>
  )
}
