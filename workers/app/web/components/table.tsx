import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { SortHeading } from './sort-heading.tsx'

/** A field of the rows. */
export interface Column<R, S extends string = never> {
  readonly head: string
  /** The head is read out, and not seen: above buttons. */
  readonly isSpoken?: boolean
  /** By what the list is sorted at a press on the head. */
  readonly sort?: S
  readonly th?: string
  readonly td?: string | ((row: R) => string)
  /** Before the cell where the head is not shown. */
  readonly word?: string
  readonly cell: (row: R) => ComponentChildren
}

/** How rows are chosen, one by one or all that are shown. */
export interface Picking<R> {
  readonly allLabel: string
  readonly labelOf: (row: R) => string
  readonly isPicked: (row: R) => boolean
  readonly onPick: (rows: readonly R[], on: boolean) => void
}

/** A table that folds into blocks on a phone, unless it is narrow as it is (`isFlat`). */
export function Table<R, S extends string = never>(props: {
  class: string
  columns: readonly Column<R, S>[]
  rows: readonly R[]
  keyOf: (row: R) => string | number
  isBusy?: boolean
  isFlat?: boolean
  sorting?: { readonly sort: S; readonly order: 'asc' | 'desc'; readonly onSort: (sort: S) => void }
  picking?: Picking<R>
  /** What a row is beside others. */
  lookOf?: (row: R) => { readonly class?: string | undefined; readonly 'aria-busy'?: 'true' | undefined }
}) {
  const { columns, rows, sorting, picking } = props
  /** The row that was picked last: with Shift everything from there to here is. */
  const last = useRef<string | number>(undefined)
  const pick = (label: string, of: readonly R[], row?: R) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={of.length > 0 && of.every((row) => picking?.isPicked(row))}
      onClick={(event) => {
        const here = row === undefined ? -1 : rows.indexOf(row)
        const there = rows.findIndex((one) => props.keyOf(one) === last.current)
        const isRange = event.shiftKey && here >= 0 && there >= 0
        picking?.onPick(
          isRange ? rows.slice(Math.min(here, there), Math.max(here, there) + 1) : of,
          event.currentTarget.checked,
        )
        if (row !== undefined) last.current = props.keyOf(row)
      }}
    />
  )
  return (
    <table class={props.isFlat ? props.class : `fold ${props.class}`} aria-busy={props.isBusy ? 'true' : undefined}>
      <thead>
        <tr>
          {picking === undefined ? null : (
            <th scope="col" class="pick">
              {pick(picking.allLabel, rows)}
            </th>
          )}
          {columns.map(({ head, isSpoken, sort, th }) =>
            sort === undefined || sorting === undefined ? (
              <th key={head} scope="col" class={th}>
                {isSpoken ? <span class="vh">{head}</span> : head}
              </th>
            ) : (
              <SortHeading
                key={head}
                class={th}
                order={sorting.sort === sort ? sorting.order : undefined}
                onSort={() => sorting.onSort(sort)}
              >
                {head}
              </SortHeading>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={props.keyOf(row)} {...props.lookOf?.(row)}>
            {picking === undefined ? null : <td class="pick">{pick(picking.labelOf(row), [row], row)}</td>}
            {columns.map(({ head, td, word, cell }) => (
              <td key={head} class={typeof td === 'function' ? td(row) : td} data-word={word}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A button of a row that opens a dialog about it. */
export function AskButton<R extends { readonly name: string }>(props: {
  word: string
  of: R
  wanted: Signal<R | undefined>
  danger?: boolean
}) {
  return (
    <button
      class={props.danger ? 'btn danger quiet' : 'btn quiet'}
      type="button"
      aria-label={`${props.word} ${props.of.name}`}
      onClick={() => {
        props.wanted.value = props.of
      }}
    >
      {props.word}…
    </button>
  )
}

/** The name of a row, which may be longer than its column. */
export function RowName({ name }: { name: string }) {
  return (
    <b class="cut" title={name}>
      {name}
    </b>
  )
}
