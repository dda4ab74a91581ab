/** Which rows of a long list are drawn: those in view, some on both sides, and the one that has the focus. Pure. */

export interface RowRange {
  /** The first one drawn, and the first one after the last. */
  readonly from: number
  readonly to: number
}

/** Rows drawn beyond the view, so that a step by keys or wheel finds them there. */
const rowsBeyond = 6
/** The range moves by this many at once: fewer drawings while one scrolls. */
const rowsPerStep = 3

/** What is in view of rows as high as each other, the first of which begins `top` below the upper edge of the view. */
export function rowsInView(top: number, viewHeight: number, rowHeight: number, total: number): RowRange {
  const hidden = Math.max(0, -top)
  return rangeWithin(Math.floor(hidden / rowHeight), Math.ceil((hidden + viewHeight) / rowHeight), total)
}

/** Those in view and the ones beside them. */
export function rowsAround(inView: RowRange, total: number): RowRange {
  const from = Math.floor(Math.max(0, inView.from - rowsBeyond) / rowsPerStep) * rowsPerStep
  return rangeWithin(from, Math.ceil((inView.to + rowsBeyond) / rowsPerStep) * rowsPerStep, total)
}

function rangeWithin(from: number, to: number, total: number): RowRange {
  return { from: Math.min(from, Math.max(0, total - 1)), to: Math.min(to, total) }
}

/** The places that are drawn, in order; the row with the focus and its neighbours stay there wherever one scrolls. */
export function drawnPlaces({ from, to }: RowRange, focused: number | undefined, total: number): readonly number[] {
  const places = Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, at) => from + at)
  if (focused === undefined) return places
  const beside = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < total && (at < from || at >= to))
  return [...places, ...beside].sort((one, other) => one - other)
}

/** The parts of `size` rows that hold a range, by their number from 0. */
export function partsOf({ from, to }: RowRange, size: number): readonly number[] {
  const first = Math.floor(from / size)
  const last = Math.floor(Math.max(from, to - 1) / size)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
