/**
 * Where each module stands: layers become rows of a grid, and the columns are chosen so that links cross seldom and
 * stay short. A grid keeps the room between two columns free in every row, so that long links never run over a box.
 */
import { columnsMax, columnsMin, linksDrawnMax, sweepsMax } from './limits.ts'
import { type Layering, layerModules, type MapLink, type MapModule } from './map-layers.ts'

export interface Place {
  readonly id: string
  readonly layer: number
  readonly row: number
  readonly column: number
}

export interface Placement {
  readonly columns: number
  readonly rows: number
  /** In reading order. */
  readonly places: readonly Place[]
  /** The first row of every layer; the row of unlinked modules, if any, comes last. */
  readonly firstRows: readonly number[]
  readonly layering: Layering
  /** Heaviest first; lighter ones are drawn when one of their modules is chosen. */
  readonly drawn: readonly MapLink[]
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Declared links come before guessed ones of the same weight. */
function heaviestFirst(links: readonly MapLink[]): MapLink[] {
  return [...links].sort(
    (left, right) =>
      right.count - left.count ||
      right.declared - left.declared ||
      compareText(left.source, right.source) ||
      compareText(left.target, right.target),
  )
}

export function placeModules(
  modules: readonly MapModule[],
  links: readonly MapLink[],
  columnsWanted: number,
): Placement {
  const sorted = [...modules].sort((left, right) => compareText(left.id, right.id))
  const known = new Set(sorted.map((one) => one.id))
  const inside = links.filter((one) => known.has(one.source) && known.has(one.target) && one.source !== one.target)
  const layering = layerModules(sorted, inside)
  const drawn = heaviestFirst(inside).slice(0, linksDrawnMax)
  const layers = [...layering.layers, ...(layering.unlinked.length === 0 ? [] : [layering.unlinked])]
  const widest = Math.max(1, ...layers.map((one) => one.length))
  const columns = Math.min(columnsMax, Math.max(columnsMin, Math.floor(columnsWanted)), widest)
  const order = fewestCrossings(layers, drawn, columns)
  const firstRows: number[] = []
  const places: Place[] = []
  let row = 0
  for (const [layer, cells] of order.entries()) {
    firstRows.push(row)
    for (const cell of cells) places.push({ id: cell.id, layer, row: row + cell.row, column: cell.column })
    row += Math.max(1, ...cells.map((one) => one.row + 1))
  }
  places.sort((left, right) => left.row - right.row || left.column - right.column)
  return { columns, rows: row, places, firstRows, layering, drawn }
}

interface Cell {
  readonly id: string
  readonly row: number
  readonly column: number
}

/** Sweeps down and up, moving each layer to the middle of what it is linked with; the best state seen is kept. */
function fewestCrossings(layers: readonly (readonly string[])[], drawn: readonly MapLink[], columns: number): Cell[][] {
  const neighbours = drawn.flatMap(({ source, target, count }) => {
    const weight = 1 + Math.log2(count)
    return [
      { of: source, id: target, weight },
      { of: target, id: source, weight },
    ]
  })
  const linked = Map.groupBy(neighbours, (one) => one.of)
  const layerOf = new Map(layers.flatMap((ids, layer) => ids.map((id) => [id, layer] as const)))
  let state = layers.map((ids) => settle(ids, columns, () => undefined))
  let best = state
  let fewest = cost(state, drawn, layerOf)
  for (let sweep = 0; sweep < sweepsMax && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0
    const column = new Map(state.flatMap((cells) => cells.map((one) => [one.id, one.column] as const)))
    const next = [...state]
    for (let step = 0; step < layers.length; step += 1) {
      const layer = isDown ? step : layers.length - 1 - step
      const cells = settle(
        layers[layer] ?? [],
        columns,
        (id) =>
          middle(
            (linked.get(id) ?? []).filter(({ id: other }) => {
              const there = layerOf.get(other) ?? layer
              return isDown ? there < layer : there > layer
            }),
            column,
          ) ?? column.get(id),
      )
      for (const one of cells) column.set(one.id, one.column)
      next[layer] = cells
    }
    state = next
    const found = cost(state, drawn, layerOf)
    if (found < fewest) {
      fewest = found
      best = state
    }
  }
  return best
}

function middle(
  others: readonly { readonly id: string; readonly weight: number }[],
  column: ReadonlyMap<string, number>,
): number | undefined {
  let sum = 0
  let weights = 0
  for (const { id, weight } of others) {
    sum += (column.get(id) ?? 0) * weight
    weights += weight
  }
  return weights === 0 ? undefined : sum / weights
}

/** Cells of one layer for the columns its modules ask for. A layer wider than the grid takes several rows. */
function settle(ids: readonly string[], columns: number, wish: (id: string) => number | undefined): Cell[] {
  const centre = (columns - 1) / 2
  const wanted = ids
    .map((id) => ({ id, at: wish(id) ?? centre }))
    .sort((left, right) => left.at - right.at || compareText(left.id, right.id))
  if (wanted.length > columns) {
    const rows = Math.ceil(wanted.length / columns)
    return wanted.map(({ id }, n) => ({ id, row: n % rows, column: Math.floor(n / rows) }))
  }
  const chosen = closestColumns(
    wanted.map((one) => one.at),
    columns,
  )
  return wanted.map(({ id }, n) => ({ id, row: 0, column: chosen[n] ?? n }))
}

/** Rising columns that stray least, in sum, from the wishes, which rise too. */
function closestColumns(wishes: readonly number[], columns: number): number[] {
  // least[n][c]: the least straying when wish n stands at column c.
  const least: number[][] = []
  for (const [n, wish] of wishes.entries()) {
    const row: number[] = []
    let before = n === 0 ? 0 : Number.POSITIVE_INFINITY
    for (let column = 0; column < columns; column += 1) {
      if (n > 0 && column > 0) before = Math.min(before, least[n - 1]?.[column - 1] ?? Number.POSITIVE_INFINITY)
      row.push(
        column < n || columns - column < wishes.length - n ? Number.POSITIVE_INFINITY : before + (column - wish) ** 2,
      )
    }
    least.push(row)
  }
  const chosen: number[] = []
  let end = columns
  for (let n = wishes.length - 1; n >= 0; n -= 1) {
    let at = n
    for (let column = n; column < end; column += 1)
      if ((least[n]?.[column] ?? Number.POSITIVE_INFINITY) < (least[n]?.[at] ?? Number.POSITIVE_INFINITY)) at = column
    chosen[n] = at
    end = at
  }
  return chosen
}

/** Crossings of drawn links, each taken as a straight line; how far they lean breaks ties. */
function cost(
  state: readonly (readonly Cell[])[],
  drawn: readonly MapLink[],
  layerOf: ReadonlyMap<string, number>,
): number {
  const column = new Map(state.flatMap((cells) => cells.map((one) => [one.id, one.column] as const)))
  const lines = drawn.map((link) => {
    const [above, below] =
      (layerOf.get(link.source) ?? 0) <= (layerOf.get(link.target) ?? 0)
        ? [link.source, link.target]
        : [link.target, link.source]
    return {
      top: layerOf.get(above) ?? 0,
      bottom: layerOf.get(below) ?? 0,
      from: column.get(above) ?? 0,
      to: column.get(below) ?? 0,
    }
  })
  let crossings = 0
  let lean = 0
  for (const [n, one] of lines.entries()) {
    lean += Math.abs(one.to - one.from)
    for (let m = n + 1; m < lines.length; m += 1) {
      const other = lines[m]
      if (other !== undefined && doCross(one, other)) crossings += 1
    }
  }
  return crossings + lean / (1 + lines.length * columnsMax)
}

interface Line {
  readonly top: number
  readonly bottom: number
  readonly from: number
  readonly to: number
}

function doCross(one: Line, other: Line): boolean {
  const top = Math.max(one.top, other.top)
  const bottom = Math.min(one.bottom, other.bottom)
  if (top >= bottom) return false
  const at = (line: Line, layer: number): number =>
    line.from + ((line.to - line.from) * (layer - line.top)) / (line.bottom - line.top)
  return (at(one, top) - at(other, top)) * (at(one, bottom) - at(other, bottom)) < 0
}

/** For tests and for whoever wants to know how good a placement is. */
export function crossingsOf(placement: Placement): number {
  const layerOf = new Map(placement.places.map((one) => [one.id, one.layer]))
  const state: Cell[][] = []
  for (const one of placement.places) {
    while (state.length <= one.layer) state.push([])
    state[one.layer]?.push({ id: one.id, row: one.row, column: one.column })
  }
  return Math.floor(cost(state, placement.drawn, layerOf))
}
