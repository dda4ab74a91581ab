import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** A field of the rows. */
export interface Column<R> {
  readonly head: string
  /** The head is read out, and not seen: above buttons. */
  readonly isSpoken?: boolean
  readonly th?: string
  readonly td?: string
  readonly cell: (row: R) => ComponentChildren
}

/** A table that folds into blocks on a phone. */
export function Table<R>(props: {
  class: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string | number
  isBusy?: boolean
}) {
  const { columns } = props
  return (
    <table class={`fold ${props.class}`} aria-busy={props.isBusy ? 'true' : undefined}>
      <thead>
        <tr>
          {columns.map(({ head, isSpoken, th }) => (
            <th key={head} scope="col" class={th}>
              {isSpoken ? <span class="vh">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)}>
            {columns.map(({ head, td, cell }) => (
              <td key={head} class={td}>
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
