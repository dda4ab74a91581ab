/** The map in px: boxes on the grid, and a line for every link that never runs over a box. */
import {
  boxHeight,
  boxWidth,
  channelWidthMax,
  channelWidthMin,
  gutterWidth,
  rowGapMax,
  rowGapMin,
  rowGapPerLink,
} from './limits.ts'
import { linkKey, type MapLink } from './map-layers.ts'
import type { Place, Placement } from './map-places.ts'

export interface Box {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly layer: number
}

export interface Route {
  readonly source: string
  readonly target: string
  readonly count: number
  readonly certainty: 'declared' | 'guessed'
  /** Against the layers: declared links that close a circle, and guessed ones that happen to. */
  readonly isUpward: boolean
  readonly path: string
  readonly strokeWidth: number
  /** Where an arrowhead stands on a line that points up; its tip. */
  readonly tip: readonly [x: number, y: number] | undefined
}

interface LayerBand {
  /** From 1; 0 is the row of modules that no declared link touches. */
  readonly number: number
  readonly y: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

export interface MapPicture {
  readonly width: number
  readonly height: number
  readonly bands: readonly LayerBand[]
  readonly boxes: readonly Box[]
  readonly routes: readonly Route[]
}

export function columnsIn(width: number): number {
  return Math.floor((width - gutterWidth) / (boxWidth + channelWidthMin))
}

interface Frame {
  readonly channel: number
  readonly rowTops: readonly number[]
  readonly width: number
  readonly height: number
  x(column: number): number
}

interface Wire {
  readonly link: MapLink
  readonly upper: Place
  readonly lower: Place
  readonly isUpward: boolean
  /** The middle of the free lane of a link that passes other rows. */
  readonly lane: number | undefined
}

export function drawMap(placement: Placement, links: readonly MapLink[], width: number): MapPicture {
  const placeOf = new Map(placement.places.map((one) => [one.id, one]))
  // The frame follows what is always drawn, so that choosing a module moves no box.
  const frame = frameOf(placement, placeOf, width)
  const wires = spreadLanes(lay(links, placement, placeOf, frame), frame)
  const port = portsOf(wires, frame)
  const lastLayer = placement.layering.layers.length - 1
  return {
    width: frame.width,
    height: frame.height,
    bands: placement.firstRows.map((row, layer) => ({
      number: layer > lastLayer ? 0 : layer + 1,
      y: (frame.rowTops[row] ?? 0) + boxHeight / 2,
      isFirst: layer === 0 && lastLayer >= 0,
      isLast: layer === lastLayer && lastLayer > 0,
    })),
    boxes: placement.places.map((one) => ({
      id: one.id,
      x: frame.x(one.column),
      y: frame.rowTops[one.row] ?? 0,
      layer: one.layer,
    })),
    routes: wires.map((wire) => toRoute(wire, port, frame)),
  }
}

function frameOf(placement: Placement, placeOf: ReadonlyMap<string, Place>, width: number): Frame {
  const free = width - gutterWidth - placement.columns * boxWidth
  const channel = Math.max(channelWidthMin, Math.min(channelWidthMax, free / (placement.columns + 1)))
  const crowd = new Array<number>(placement.rows).fill(0)
  for (const link of placement.drawn) {
    const from = placeOf.get(link.source)?.row ?? 0
    const to = placeOf.get(link.target)?.row ?? 0
    const first = Math.min(from, to)
    for (let row = first; row < Math.max(from, to, first + 1); row += 1) crowd[row] = (crowd[row] ?? 0) + 1
  }
  const rowTops: number[] = []
  let y = 16
  for (let row = 0; row < placement.rows; row += 1) {
    rowTops.push(y)
    y += boxHeight + Math.min(rowGapMax, rowGapMin + rowGapPerLink * (crowd[row] ?? 0))
  }
  const last = rowTops.at(-1) ?? 0
  const isLastLinked = (crowd[placement.rows - 1] ?? 0) > 0
  const used = gutterWidth + placement.columns * boxWidth + (placement.columns + 1) * channel
  const start = gutterWidth + channel + Math.max(0, (width - used) / 2)
  return {
    channel,
    rowTops,
    width: Math.max(width, used),
    height: last + boxHeight + (isLastLinked ? rowGapMin : 16),
    x: (column) => round(start + column * (boxWidth + channel)),
  }
}

function lay(
  links: readonly MapLink[],
  placement: Placement,
  placeOf: ReadonlyMap<string, Place>,
  frame: Frame,
): Wire[] {
  const taken = new Set(placement.places.map((one) => `${one.row}:${one.column}`))
  const crowding = new Map<number, number>()
  return links.flatMap((link): Wire[] => {
    const source = placeOf.get(link.source)
    const target = placeOf.get(link.target)
    if (source === undefined || target === undefined) return []
    const isUpward = target.row < source.row || placement.layering.upward.has(linkKey(link))
    const [upper, lower] = source.row <= target.row ? [source, target] : [target, source]
    if (lower.row - upper.row < 2) return [{ link, upper, lower, isUpward, lane: undefined }]
    const from = frame.x(upper.column) + boxWidth / 2
    const to = frame.x(lower.column) + boxWidth / 2
    let lane = 0
    let least = Number.POSITIVE_INFINITY
    for (let column = 0; column <= placement.columns; column += 1) {
      const channel = frame.x(column) - frame.channel / 2
      const middle = frame.x(column) + boxWidth / 2
      const choices =
        column < placement.columns && isFree(taken, column, upper.row, lower.row) ? [middle, channel] : [channel]
      for (const x of choices) {
        const straying = Math.abs(from - x) + Math.abs(x - to) + 14 * (crowding.get(x) ?? 0)
        if (straying < least) {
          least = straying
          lane = x
        }
      }
    }
    crowding.set(lane, (crowding.get(lane) ?? 0) + 1)
    return [{ link, upper, lower, isUpward, lane }]
  })
}

function isFree(taken: ReadonlySet<string>, column: number, above: number, below: number): boolean {
  for (let row = above + 1; row < below; row += 1) if (taken.has(`${row}:${column}`)) return false
  return true
}

/** Links that share a lane stand side by side where they pass the same rows. */
function spreadLanes(wires: readonly Wire[], frame: Frame): Wire[] {
  const tracks = new Map<Wire, number>()
  const perLane = new Map<number, number>()
  for (const [lane, list] of Map.groupBy(wires, (wire) => wire.lane)) {
    if (lane === undefined) continue
    const ends: number[] = []
    list.sort((left, right) => left.upper.row - right.upper.row || left.lower.row - right.lower.row)
    for (const wire of list) {
      const found = ends.findIndex((end) => end <= wire.upper.row)
      const track = found === -1 ? ends.length : found
      ends[track] = wire.lower.row
      tracks.set(wire, track)
    }
    perLane.set(lane, ends.length)
  }
  return wires.map((wire) => {
    if (wire.lane === undefined) return wire
    const count = perLane.get(wire.lane) ?? 1
    const step = Math.min(9, (frame.channel - 8) / Math.max(1, count))
    return { ...wire, lane: wire.lane + ((tracks.get(wire) ?? 0) - (count - 1) / 2) * step }
  })
}

type Ports = (wire: Wire, end: 'upper' | 'lower') => number

/** Where on its box each line starts and ends: side by side, in the order of where they lead. */
function portsOf(wires: readonly Wire[], frame: Frame): Ports {
  const centre = (place: Place): number => frame.x(place.column) + boxWidth / 2
  const ends = wires.flatMap((wire) => {
    const { upper, lower, lane } = wire
    const below = upper.row === lower.row ? 'bottom' : 'top'
    return [
      { side: `bottom ${upper.id}`, wire, end: 'upper' as const, towards: lane ?? centre(lower) },
      { side: `${below} ${lower.id}`, wire, end: 'lower' as const, towards: lane ?? centre(upper) },
    ]
  })
  const at = new Map<Wire, { upper: number; lower: number }>()
  for (const list of Map.groupBy(ends, (one) => one.side).values()) {
    list.sort((left, right) => left.towards - right.towards)
    const step = Math.min(26, (boxWidth - 32) / Math.max(1, list.length - 1))
    for (const [n, { wire, end }] of list.entries()) {
      const place = end === 'upper' ? wire.upper : wire.lower
      const found = at.get(wire) ?? { upper: 0, lower: 0 }
      found[end] = centre(place) + (n - (list.length - 1) / 2) * step
      at.set(wire, found)
    }
  }
  return (wire, end) => at.get(wire)?.[end] ?? 0
}

function toRoute(wire: Wire, port: Ports, frame: Frame): Route {
  const { link, upper, lower, lane } = wire
  const x1 = round(port(wire, 'upper'))
  const x2 = round(port(wire, 'lower'))
  const isLevel = upper.row === lower.row
  const head = wire.isUpward && !isLevel ? 8 : 0
  const y1 = (frame.rowTops[upper.row] ?? 0) + boxHeight + head
  const y2 = isLevel ? y1 : (frame.rowTops[lower.row] ?? 0)
  return {
    source: link.source,
    target: link.target,
    count: link.count,
    certainty: link.declared > 0 ? 'declared' : 'guessed',
    isUpward: wire.isUpward,
    path: isLevel
      ? levelPath(x1, x2, y1)
      : lane === undefined
        ? nearPath(x1, y1, x2, y2)
        : farPath(wire, frame, x1, y1, x2, y2, lane),
    strokeWidth: strokeWidth(link.count),
    tip: head === 0 ? undefined : [x1, y1 - head],
  }
}

function levelPath(x1: number, x2: number, y: number): string {
  const dip = y + 34
  return `M${x1} ${y}C${x1} ${dip} ${x2} ${dip} ${x2} ${y}`
}

function nearPath(x1: number, y1: number, x2: number, y2: number): string {
  const middle = round((y1 + y2) / 2)
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}

function farPath(wire: Wire, frame: Frame, x1: number, y1: number, x2: number, y2: number, lane: number): string {
  const x = round(lane)
  const enter = frame.rowTops[wire.upper.row + 1] ?? y2
  const leave = (frame.rowTops[wire.lower.row - 1] ?? 0) + boxHeight
  const above = round((y1 + enter) / 2)
  const below = round((leave + y2) / 2)
  return `M${x1} ${y1}C${x1} ${above} ${x} ${above} ${x} ${enter}V${leave}C${x} ${below} ${x2} ${below} ${x2} ${y2}`
}

function strokeWidth(count: number): number {
  return round(Math.min(4.2, 0.8 + 0.42 * Math.log2(1 + count)))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** The box an arrow key leads to: the nearest one that way, straight ahead before aside. */
export function boxTowards(
  boxes: readonly Box[],
  id: string,
  key: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight',
): string | undefined {
  const from = boxes.find((one) => one.id === id)
  if (from === undefined) return undefined
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  const sign = key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 1
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of boxes) {
    const ahead = sign * (isVertical ? one.y - from.y : one.x - from.x)
    const aside = Math.abs(isVertical ? one.x - from.x : one.y - from.y)
    if (ahead <= 0 || (!isVertical && aside > 0)) continue
    // A row is chosen first, then the nearest box in it.
    const distance = isVertical ? ahead * 1000 + aside : ahead
    if (distance < least) {
      least = distance
      best = one.id
    }
  }
  return best
}
