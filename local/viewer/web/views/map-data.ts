/** The map's answers put together: as deep as the modules opened in place need, without what is left out. */
import type { MapAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { type LiveAnswer, useAnswer } from '../api/use-answer.ts'
import { type FoldableLink, foldLevels, innerModules, levelsNeeded, neighbourhood } from '../layout/map-folding.ts'
import { depthMax, type MapState } from '../model/map-address.ts'

export type MapModule = MapAnswer['modules'][number]
export type MapLink = FoldableLink

export interface ShownMap {
  readonly answer: MapAnswer
  readonly modules: readonly MapModule[]
  readonly links: readonly MapLink[]
  /** Before one module and its neighbours were taken alone. */
  readonly modulesInAll: number
  readonly testsLeftOut: number
  /** How many modules each one falls into; absent where it cannot be opened in place. */
  readonly inner: ReadonlyMap<string, number>
}

export interface MapData {
  readonly base: LiveAnswer<MapAnswer>
  /** Deeper answers that the modules opened in place wait for. */
  readonly waiting: readonly LiveAnswer<MapAnswer>[]
  readonly levels: readonly MapAnswer[]
}

/** The whole repository is asked for by name: an empty root is no choice. */
function rootParameter(root: string): string {
  return root === '' ? '.' : root
}

export function useMap(state: MapState): MapData {
  // Without tests the server leaves their edges out: a module holds tests beside what they test.
  const production = state.hasTests ? undefined : '1'
  const base = useAnswer(
    api.map({ root: state.root === undefined ? undefined : rootParameter(state.root), depth: state.depth, production }),
  )
  const { data, isCurrent } = base.reading.value
  const top = isCurrent ? data : undefined
  const needed =
    top === undefined
      ? 1
      : levelsNeeded(
          state.open,
          top.modules.map((one) => one.id),
        )
  // One level more than is shown tells which modules can be opened.
  const deeper = (by: number) =>
    useAnswer(
      top === undefined || by > needed || top.depth + by > depthMax
        ? undefined
        : api.map({ root: rootParameter(top.root), depth: top.depth + by, production }),
    )
  const answers = [deeper(1), deeper(2), deeper(3)]
  const levels: MapAnswer[] = top === undefined ? [] : [top]
  for (const { reading } of answers) {
    const { data: found, isCurrent: isThere } = reading.value
    if (found === undefined || !isThere) break
    levels.push(found)
  }
  const wanted = Math.min(needed, top === undefined ? 1 : 1 + depthMax - top.depth)
  return { base, waiting: levels.length < wanted ? answers.slice(levels.length - 1, wanted - 1) : [], levels }
}

export function shownMap(levels: readonly MapAnswer[], state: MapState): ShownMap | undefined {
  const [answer] = levels
  if (answer === undefined) return undefined
  const needed = levelsNeeded(
    state.open,
    answer.modules.map((one) => one.id),
  )
  const used = levels.slice(0, needed)
  const folded = foldLevels(used, new Set(state.open))
  const isShown = new Set(folded.modules.filter((one) => state.hasTests || !one.test).map((one) => one.id))
  const modules = folded.modules.filter((one) => isShown.has(one.id))
  const links = folded.links.filter((one) => isShown.has(one.source) && isShown.has(one.target))
  const inner = new Map<string, number>()
  for (let level = 0; level + 1 < levels.length; level += 1) {
    const [here, below] = [levels[level], levels[level + 1]]
    if (here === undefined || below === undefined) continue
    for (const one of here.modules) {
      if (inner.has(one.id)) continue
      const count = innerModules(one.id, here, below).length
      if (count > 1) inner.set(one.id, count)
    }
  }
  const near =
    state.isIsolated && state.chosen !== undefined && isShown.has(state.chosen)
      ? neighbourhood(modules, links, state.chosen)
      : { modules, links }
  return {
    answer,
    modules: near.modules,
    links: near.links,
    modulesInAll: modules.length,
    testsLeftOut: folded.modules.length - modules.length,
    inner,
  }
}
