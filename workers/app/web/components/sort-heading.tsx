import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'

/** A column's name that sorts by it; the one sorted by says which way. */
export function SortHeading(props: {
  children: ComponentChildren
  /** Undefined when the list is sorted by another column. */
  order: 'asc' | 'desc' | undefined
  class?: string | undefined
  onSort: () => void
}) {
  const { order } = props
  return (
    <th
      scope="col"
      class={props.class}
      aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button class="sort" type="button" onClick={props.onSort}>
        {props.children}
        {order === undefined ? null : <Icon name={order === 'asc' ? 'up' : 'chevd'} small />}
      </button>
    </th>
  )
}
