/**
 * Opening modules in place. The server answers the map at one depth; a map in which some modules are open is made from
 * the answers at this depth and the ones below: the deepest answer holds every link, and what lies in a module that is
 * closed is counted for that module again.
 */
import { linkKey, type MapLink } from './map-layers.ts'
import { compareText } from './map-places.ts'

interface Pair {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly declared: number
}
interface FoldableModule {
  readonly id: string
}
export interface FoldableLink extends MapLink {
  readonly topPairs: readonly Pair[]
}
interface Level<M, L> {
  readonly modules: readonly M[]
  readonly links: readonly L[]
}

const topPairsMax = 4
const looseFiles = '(root files)'

/** The module of a shallower answer that holds this module of a deeper one. */
export function holderOf(id: string, shallow: ReadonlySet<string>): string | undefined {
  if (shallow.has(id)) return id
  const loose = id === '' ? looseFiles : `${id}/${looseFiles}`
  if (shallow.has(loose)) return loose
  for (let cut = id.lastIndexOf('/'); cut > 0; cut = id.lastIndexOf('/', cut - 1)) {
    const folder = id.slice(0, cut)
    if (shallow.has(folder)) return folder
  }
  return undefined
}

/** What a module falls into one level deeper; empty when it cannot be opened. */
export function innerModules<M extends FoldableModule>(
  id: string,
  here: Level<M, unknown>,
  deeper: Level<M, unknown>,
): M[] {
  const ids = new Set(here.modules.map((one) => one.id))
  const inner = deeper.modules.filter((one) => holderOf(one.id, ids) === id)
  return inner.length > 1 ? inner : []
}

/** How many levels of answers are needed for these open modules: 1 when none is open. */
export function levelsNeeded(open: readonly string[], top: readonly string[]): number {
  const ids = new Set(top)
  let levels = 1
  for (const id of open) {
    const holder = holderOf(id, ids)
    if (holder === undefined) continue
    const inside =
      id === holder
        ? 0
        : id
            .slice(holder.length)
            .split('/')
            .filter((part) => part !== '').length
    levels = Math.max(levels, inside + 2)
  }
  return levels
}

export function foldLevels<M extends FoldableModule, L extends FoldableLink>(
  levels: readonly Level<M, L>[],
  open: ReadonlySet<string>,
): Level<M, FoldableLink> {
  const deepest = levels.at(-1)
  const [first] = levels
  if (deepest === undefined || first === undefined) return { modules: [], links: [] }
  if (levels.length === 1) return first
  const idsOf = levels.map((one) => new Set(one.modules.map((module) => module.id)))
  const moduleOf = levels.map((one) => new Map(one.modules.map((module) => [module.id, module])))
  const shown = new Map<string, M>()
  const standsFor = new Map<string, string>()
  for (const module of deepest.modules) {
    const chain: { id: string; level: number }[] = []
    for (let level = 0; level < levels.length; level += 1) {
      const id = holderOf(module.id, idsOf[level] ?? new Set())
      if (id !== undefined) chain.push({ id, level })
    }
    const closed = chain.find((one) => !open.has(one.id)) ?? { id: module.id, level: levels.length - 1 }
    const found = moduleOf[closed.level]?.get(closed.id) ?? module
    shown.set(found.id, found)
    standsFor.set(module.id, found.id)
  }
  const links = new Map<string, FoldableLink>()
  for (const link of deepest.links) {
    const source = standsFor.get(link.source) ?? link.source
    const target = standsFor.get(link.target) ?? link.target
    if (source === target) continue
    const key = linkKey({ source, target })
    const before = links.get(key)
    links.set(key, {
      source,
      target,
      count: (before?.count ?? 0) + link.count,
      declared: (before?.declared ?? 0) + link.declared,
      topPairs: [...(before?.topPairs ?? []), ...link.topPairs],
    })
  }
  return {
    modules: [...shown.values()].sort((left, right) => compareText(left.id, right.id)),
    links: [...links.values()]
      .map((link) => ({
        ...link,
        topPairs: link.topPairs
          .toSorted(
            (left, right) =>
              right.declared - left.declared ||
              right.count - left.count ||
              compareText(left.from, right.from) ||
              compareText(left.to, right.to),
          )
          .slice(0, topPairsMax),
      }))
      .sort((left, right) => compareText(left.source, right.source) || compareText(left.target, right.target)),
  }
}

/** One module with what it uses and what uses it. */
export function neighbourhood<M extends FoldableModule, L extends MapLink>(
  modules: readonly M[],
  links: readonly L[],
  id: string,
): { modules: M[]; links: L[] } {
  const near = new Set([id])
  for (const link of links) {
    if (link.source === id) near.add(link.target)
    if (link.target === id) near.add(link.source)
  }
  return {
    modules: modules.filter((one) => near.has(one.id)),
    links: links.filter((one) => near.has(one.source) && near.has(one.target)),
  }
}
