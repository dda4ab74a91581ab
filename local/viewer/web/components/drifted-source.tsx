/** In place of source that may not be shown, or above one that is not the indexed one: why, and what else can be shown. */

import { Note } from '#shared/pages/note.tsx'
import type { SourceAnswer } from '../../contract/wire.ts'
import { words } from '../locales/words.ts'

export function DriftedSource(props: {
  source: SourceAnswer
  /** Whether the text as it is now was asked for. */
  isCurrentAsked: boolean
  /** The other way of the two. */
  otherHref: string
}) {
  const { source, isCurrentAsked } = props
  const text = words.value.code
  const link = (
    <a class="link" href={props.otherHref}>
      {isCurrentAsked ? text.hideCurrent : text.showCurrent}
    </a>
  )
  if (source.showing === 'current')
    return (
      <Note incomplete action={link}>
        {text.current}
      </Note>
    )
  if (isCurrentAsked)
    return (
      <Note tone="warn" incomplete>
        {text.notShown} <span lang="en">{source.reason}</span>
      </Note>
    )
  return (
    <Note incomplete action={link}>
      {text.hidden} <code>indexer sync</code>
    </Note>
  )
}
