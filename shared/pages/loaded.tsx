/** What stands on screen for what is read, in each of its states. */
import type { ComponentChildren } from 'preact'

const barsHeight = 30

/** Grey bars in the shape of the rows to come; the style sheet draws them, and holds them back for the first 200 ms. */
export function Bars({ rows, children }: { rows: number; children: ComponentChildren }) {
  return (
    <div class="skeleton" aria-busy="true" style={{ height: `${rows * barsHeight}px` }}>
      <span class="vh" role="status">
        {children}
      </span>
    </div>
  )
}

/** What was read before stays below the reason why it could not be read again. */
export function Loaded<T>(props: {
  data: T | undefined
  hasFailed: boolean
  note: ComponentChildren
  bars: ComponentChildren
  children: (data: T) => ComponentChildren
}) {
  const { data } = props
  return (
    <>
      {props.note}
      {data !== undefined ? props.children(data) : props.hasFailed ? null : props.bars}
    </>
  )
}
