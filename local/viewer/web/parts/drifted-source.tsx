/** In place of source that may not be shown: why, and what else can be shown. */
import type { SourceAnswer } from '../api/answers.ts'
import { words } from '../words/words.ts'
import { Note } from './states.tsx'

export function DriftedSource({ source, currentHref }: { source: SourceAnswer; currentHref: string }) {
  const text = words.value.code
  if (source.showing === 'none')
    return (
      <Note
        incomplete
        action={
          source.totalLines === null ? undefined : (
            <a class="link" href={currentHref}>
              {text.showCurrent}
            </a>
          )
        }
      >
        {source.totalLines === null ? text.gone : text.hidden} <code>indexer sync</code>
      </Note>
    )
  return (
    <Note
      incomplete
      action={
        <a class="link" href={currentHref}>
          {text.hideCurrent}
        </a>
      }
    >
      {text.current}
    </Note>
  )
}
