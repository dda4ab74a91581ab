/** The column that says when a way in was last used. */
import { Moment } from './figure.tsx'
import type { Column } from './table.tsx'

export function lastUsedColumn<R extends { readonly last_used_at?: number | undefined }>(text: {
  readonly lastUsed: string
  readonly unused: string
}): Column<R> {
  return {
    head: text.lastUsed,
    td: 'nowrap',
    cell: (row) => (
      <>
        <span class="phone-only faint">{text.lastUsed} </span>
        <Moment seconds={row.last_used_at} none={text.unused} />
      </>
    ),
  }
}
