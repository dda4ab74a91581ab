import type { ComponentChildren } from 'preact'
import type { SourceAnswer } from '../../contract/wire.ts'
import { words } from '../locales/words.ts'

/** Above a listing; while calls stand beside its lines, it says so and names the key that leads to them. */
export function SourceTitle({ source, children }: { source: SourceAnswer; children?: ComponentChildren }) {
  const text = words.value.code
  return (
    <div class="srch">
      <div>
        <h2>{text.source}</h2> <span class="faint">{children}</span>
        {source.highlight?.engine === 'plain' ? (
          <span class="faint">
            {children === undefined ? '' : ' · '}
            {text.plain} <span lang="en">{source.highlight.reason}</span>
          </span>
        ) : null}
      </div>
      {source.showing === 'indexed' ? (
        <span class="calls">
          {text.callsAtLines} <kbd class="wide-only">L</kbd>
        </span>
      ) : null}
    </div>
  )
}
