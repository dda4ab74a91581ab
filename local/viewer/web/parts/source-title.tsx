import type { ComponentChildren } from 'preact'
import type { SourceAnswer } from '../api/answers.ts'
import { words } from '../words/words.ts'

/** Above a listing; while calls stand beside its lines, it says so and names the key that leads to them. */
export function SourceTitle({ source, children }: { source: SourceAnswer; children?: ComponentChildren }) {
  const text = words.value.code
  return (
    <div class="srch">
      <h2>
        {text.source}
        {children === undefined ? null : <span class="faint">{children}</span>}
      </h2>
      {source.showing === 'indexed' ? (
        <span class="calls">
          {text.callsAtLines} <kbd class="wide-only">L</kbd>
        </span>
      ) : null}
    </div>
  )
}
