/** What the map's address says, and the address of every change to it. Pure. */
import { href, type Route } from './address.ts'

export interface MapState {
  /** Undefined where the server chooses. */
  readonly root: string | undefined
  readonly depth: number | undefined
  readonly hasTests: boolean
  readonly open: readonly string[]
  readonly chosen: string | undefined
  readonly isIsolated: boolean
  readonly shape: 'picture' | 'list' | undefined
}

export const depthMax = 4

export function mapState({ query }: Route): MapState {
  const depth = Number(query.get('depth'))
  const shape = query.get('as')
  return {
    root: query.get('root') ?? undefined,
    depth: Number.isInteger(depth) && depth >= 1 && depth <= depthMax ? depth : undefined,
    hasTests: query.get('tests') === '1',
    open: query.getAll('open'),
    chosen: query.get('m') ?? undefined,
    isIsolated: query.get('only') === '1' && query.has('m'),
    shape: shape === 'picture' || shape === 'list' ? shape : undefined,
  }
}

export function mapHref(state: MapState): string {
  const address = href('map', '', {
    depth: state.depth,
    tests: state.hasTests ? '1' : undefined,
    open: state.open,
    m: state.chosen,
    only: state.isIsolated && state.chosen !== undefined ? '1' : undefined,
    as: state.shape,
  })
  if (state.root === undefined) return address
  // An empty root is the whole repository, which is not the same as no choice.
  return `${address}${address.includes('?') ? '&' : '?'}root=${encodeURIComponent(state.root)}`
}

/** Opens a module in place, or folds it with everything opened inside it. */
export function toggleOpen(state: MapState, id: string): MapState {
  const isInside = (one: string): boolean => one === id || one.startsWith(`${id}/`)
  return state.open.includes(id)
    ? { ...state, open: state.open.filter((one) => !isInside(one)), chosen: id, isIsolated: false }
    : { ...state, open: [...state.open, id], chosen: undefined, isIsolated: false }
}

/** Another root or grouping is another map: what was open or chosen on the old one means nothing there. */
export function regroup(state: MapState, change: Partial<Pick<MapState, 'root' | 'depth'>>): MapState {
  return { ...state, ...change, open: [], chosen: undefined, isIsolated: false }
}
