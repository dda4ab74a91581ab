/** Which layer each module stands on: what uses others above, what is used below. Only declared links decide. */
import { type Arrow, backArrows, topologicalOrder } from './directed-graph.ts'

export interface MapModule {
  readonly id: string
}
export interface MapLink {
  readonly source: string
  readonly target: string
  readonly count: number
  readonly declared: number
}

export interface Layering {
  /** Ids by layer, top first, each in the order given. */
  readonly layers: readonly (readonly string[])[]
  /** Modules that no declared link touches: they have no place in the layers. */
  readonly unlinked: readonly string[]
  /** Declared links that point back up, as `linkKey`. */
  readonly upward: ReadonlySet<string>
}

export function linkKey(link: { readonly source: string; readonly target: string }): string {
  return `${link.source}\n${link.target}`
}

export function layerModules(modules: readonly MapModule[], links: readonly MapLink[]): Layering {
  const ids = modules.map((one) => one.id)
  const numberOf = new Map(ids.map((id, n) => [id, n]))
  const arrows: (Arrow & { readonly key: string })[] = []
  for (const link of links) {
    const from = numberOf.get(link.source)
    const to = numberOf.get(link.target)
    if (from === undefined || to === undefined || from === to || link.declared === 0) continue
    arrows.push({ from, to, weight: link.declared, key: linkKey(link) })
  }
  const isBack = backArrows(ids.length, arrows)
  const forward = arrows.filter((_one, at) => !isBack[at])
  const rank = ranksOf(ids.length, forward)
  const touched = new Set(arrows.flatMap((one) => [one.from, one.to]))
  const layers: string[][] = []
  for (const [n, id] of ids.entries()) {
    if (!touched.has(n)) continue
    const layer = rank[n] ?? 0
    while (layers.length <= layer) layers.push([])
    layers[layer]?.push(id)
  }
  return {
    layers,
    unlinked: ids.filter((_id, n) => !touched.has(n)),
    upward: new Set(arrows.filter((_one, at) => isBack[at]).map((one) => one.key)),
  }
}

/** The longest way from the top; then what gives more than it takes sinks towards what it uses. */
function ranksOf(count: number, forward: readonly Arrow[]): number[] {
  const order = topologicalOrder(count, forward)
  const next: Arrow[][] = Array.from({ length: count }, () => [])
  const taken = new Array<number>(count).fill(0)
  const given = new Array<number>(count).fill(0)
  for (const arrow of forward) {
    next[arrow.from]?.push(arrow)
    given[arrow.from] = (given[arrow.from] ?? 0) + arrow.weight
    taken[arrow.to] = (taken[arrow.to] ?? 0) + arrow.weight
  }
  const rank = new Array<number>(count).fill(0)
  for (const n of order) for (const { to } of next[n] ?? []) rank[to] = Math.max(rank[to] ?? 0, (rank[n] ?? 0) + 1)
  for (const n of order.reverse()) {
    const uses = next[n] ?? []
    // What nothing uses is an entry and stays on top.
    if (uses.length === 0 || taken[n] === 0 || (given[n] ?? 0) <= (taken[n] ?? 0)) continue
    let lowest = Number.POSITIVE_INFINITY
    for (const { to } of uses) lowest = Math.min(lowest, rank[to] ?? 0)
    rank[n] = lowest - 1
  }
  return rank
}
