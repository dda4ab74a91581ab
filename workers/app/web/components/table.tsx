import type { Signal } from '@preact/signals'
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
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
  /** Of a list that is drawn in part: everything in it, and what lies between two places of it, both included. */
  readonly beyond?: {
    readonly areAllPicked: boolean
    readonly onAll: (on: boolean) => void
    readonly onRange: (first: number, last: number, on: boolean) => void
  }
}

/** Of a long list only some rows are drawn; in place of the others there is room as high as they are. */
export interface DrawnPart {
  readonly table: RefObject<HTMLTableElement | null>
  /** Where in the list each of the rows is. */
  readonly places: readonly number[]
  readonly total: number
  readonly rowHeight: number
}

interface RowLook {
  readonly class?: string | undefined
  readonly 'aria-busy'?: 'true' | undefined
}

/** What all rows of a table have from it. */
interface RowsOf<R> {
  readonly columns: readonly Pick<Column<R, string>, 'head' | 'td' | 'word' | 'cell'>[]
  readonly picking: Picking<R> | undefined
  readonly onMenu: ((row: R, event: MouseEvent) => void) | undefined
  readonly pickTo: (row: R, isOn: boolean, isRange: boolean) => void
  readonly cellsFrom: readonly unknown[] | undefined
}

function Row<R>(props: {
  row: R
  number: number | undefined
  isPicked: boolean
  look: RowLook | undefined
  /** Of the drawing that there was last, whichever drew the row. */
  table: RefObject<RowsOf<R>>
}) {
  const { row, number, isPicked, look, table } = props
  const { columns, picking, onMenu, cellsFrom } = table.current
  const { class: lookClass, 'aria-busy': isBusy } = look ?? {}
  return useMemo(
    () => (
      <tr
        aria-rowindex={number}
        class={lookClass}
        aria-busy={isBusy}
        onContextMenu={onMenu === undefined ? undefined : (event) => table.current.onMenu?.(row, event)}
      >
        {picking === undefined ? null : (
          <td class="pick">
            <input
              type="checkbox"
              aria-label={picking.labelOf(row)}
              checked={isPicked}
              onClick={(event) => table.current.pickTo(row, event.currentTarget.checked, event.shiftKey)}
            />
          </td>
        )}
        {columns.map(({ head, td, word, cell }) => (
          <td key={head} class={typeof td === 'function' ? td(row) : td} data-word={word}>
            {cell(row)}
          </td>
        ))}
      </tr>
    ),
    [row, number, isPicked, lookClass, isBusy, ...(cellsFrom ?? [{}])],
  )
}

/** A table that folds into blocks on a phone, unless it is narrow as it is (`isFlat`). */
export function Table<R, S extends string = never>(props: {
  class: string
  columns: readonly Column<R, S>[]
  /** One that is not there yet is undefined. */
  rows: readonly (R | undefined)[]
  drawn?: DrawnPart
  keyOf: (row: R) => string | number
  /**
   * Everything beside itself, its look and its being picked that the cells of a row depend on. As long as it says the
   * same, a row that stands already is not made again: most are, when a long list moves or one of its rows changes.
   */
  cellsFrom?: readonly unknown[]
  isBusy?: boolean
  isFlat?: boolean
  sorting?: { readonly sort: S; readonly order: 'asc' | 'desc'; readonly onSort: (sort: S) => void }
  picking?: Picking<R>
  /** What a row is beside others. */
  lookOf?: (row: R) => RowLook
  onMenu?: (row: R, event: MouseEvent) => void
}) {
  const { columns, rows, sorting, picking, drawn } = props
  /** The row that was picked last, and where it was: with Shift everything from there to here is. */
  const last = useRef<{ readonly key: string | number; readonly place: number }>(undefined)
  const placeOf = (at: number) => drawn?.places[at] ?? at
  const there = rows.filter((row) => row !== undefined)
  const shared: RowsOf<R> = { columns, picking, onMenu: props.onMenu, pickTo, cellsFrom: props.cellsFrom }
  const latest = useRef(shared)
  latest.current = shared
  function pickTo(row: R, isOn: boolean, isRange: boolean): void {
    const here = placeOf(rows.indexOf(row))
    const at = rows.findIndex((one) => one !== undefined && props.keyOf(one) === last.current?.key)
    const before = at >= 0 ? placeOf(at) : drawn === undefined ? undefined : last.current?.place
    if (!isRange || before === undefined) picking?.onPick([row], isOn)
    else {
      const [first, end] = [Math.min(here, before), Math.max(here, before)]
      if (picking?.beyond === undefined) picking?.onPick(there.slice(first, end + 1), isOn)
      else picking.beyond.onRange(first, end, isOn)
    }
    last.current = { key: props.keyOf(row), place: here }
  }
  const columnCount = columns.length + (picking === undefined ? 0 : 1)
  const lines: VNode[] = []
  /** Where the next row would be if none were left out. */
  let next = 0
  const leaveRoom = (to: number) => {
    if (drawn === undefined || to <= next) return
    lines.push(
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: room is nothing to read, and takes no focus
      <tr
        key={`room ${next === 0 ? 'above' : to === drawn.total ? 'below' : 'between'}`}
        class="room"
        aria-hidden="true"
      >
        <td colSpan={columnCount} style={{ height: `${(to - next) * drawn.rowHeight}px` }} />
      </tr>,
    )
  }
  rows.forEach((row, index) => {
    const place = placeOf(index)
    leaveRoom(place)
    next = place + 1
    const number = drawn === undefined ? undefined : place + 2
    lines.push(
      row === undefined ? (
        <tr key={`place ${place}`} aria-rowindex={number} aria-busy="true">
          <td colSpan={columnCount}>
            <span class="bone" />
          </td>
        </tr>
      ) : (
        <Row
          key={props.keyOf(row)}
          row={row}
          number={number}
          isPicked={picking?.isPicked(row) === true}
          look={props.lookOf?.(row)}
          table={latest}
        />
      ),
    )
  })
  leaveRoom(drawn?.total ?? 0)
  return (
    <table
      ref={drawn?.table ?? null}
      class={props.isFlat ? props.class : `fold ${props.class}`}
      aria-busy={props.isBusy ? 'true' : undefined}
      aria-rowcount={drawn === undefined ? undefined : drawn.total + 1}
    >
      <thead>
        <tr aria-rowindex={drawn === undefined ? undefined : 1}>
          {picking === undefined ? null : (
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label={picking.allLabel}
                checked={
                  picking.beyond?.areAllPicked ?? (there.length > 0 && there.every((row) => picking.isPicked(row)))
                }
                onClick={(event) => {
                  const isOn = event.currentTarget.checked
                  if (picking.beyond === undefined) picking.onPick(there, isOn)
                  else picking.beyond.onAll(isOn)
                }}
              />
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
      <tbody>{lines}</tbody>
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
