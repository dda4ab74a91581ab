/** The first few of a list, and the rest when it is asked for. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export function Folded<T>(props: {
  items: readonly T[]
  first: number
  /** `Show all 40`. */
  more: (count: number) => string
  class: string
  row: (item: T) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const { items, first } = props
  // One row more is not worth a button.
  const isCut = !isOpen && items.length > first + 1
  return (
    <>
      <ul class={props.class}>{(isCut ? items.slice(0, first) : items).map(props.row)}</ul>
      {isCut ? (
        <button class="link-button small" type="button" onClick={() => setOpen(true)}>
          {props.more(items.length)}
        </button>
      ) : null}
    </>
  )
}
