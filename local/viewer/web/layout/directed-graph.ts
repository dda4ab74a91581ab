/** Order in a directed graph that may hold circles. Nodes are numbers from 0; equal choices go to the smaller number. */
export interface Arrow {
  readonly from: number
  readonly to: number
  readonly weight: number
}

function outgoing(count: number, arrows: readonly Arrow[]): number[][] {
  const next: number[][] = Array.from({ length: count }, () => [])
  for (const { from, to } of arrows) next[from]?.push(to)
  return next
}

/** The number of the strongly connected component of every node, by Tarjan's method without recursion. */
export function strongComponents(count: number, arrows: readonly Arrow[]): Int32Array {
  const next = outgoing(count, arrows)
  const component = new Int32Array(count).fill(-1)
  const order = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const reach = (n: number): number => low[n] ?? 0
  const open: number[] = []
  let seen = 0
  let components = 0
  const enter = (n: number): { n: number; at: number } => {
    order[n] = seen
    low[n] = seen
    seen += 1
    open.push(n)
    return { n, at: 0 }
  }
  for (let start = 0; start < count; start += 1) {
    if (order[start] !== -1) continue
    const work = [enter(start)]
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const child = next[top.n]?.[top.at]
      top.at += 1
      if (child !== undefined) {
        if (order[child] === -1) work.push(enter(child))
        else if (component[child] === -1) low[top.n] = Math.min(reach(top.n), order[child] ?? 0)
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent !== undefined) low[parent.n] = Math.min(reach(parent.n), reach(top.n))
      if (low[top.n] !== order[top.n]) continue
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        component[one] = components
        if (one === top.n) break
      }
      components += 1
    }
  }
  return component
}

/**
 * Which arrows point back, so that the rest holds no circle: inside each component nodes are put in the order in which
 * what is used most and uses least comes last, and what runs against that order points back.
 */
export function backArrows(count: number, arrows: readonly Arrow[]): boolean[] {
  const component = strongComponents(count, arrows)
  const groups = Map.groupBy(Array.from({ length: count }).keys(), (n) => component[n])
  const inside = Map.groupBy(
    arrows.filter(({ from, to }) => component[from] === component[to] && from !== to),
    ({ from }) => component[from],
  )
  const position = new Int32Array(count)
  for (const [of, list] of inside) {
    for (const [at, n] of feedbackOrder(groups.get(of) ?? [], list).entries()) position[n] = at
  }
  const isBack = arrows.map(
    ({ from, to }) => from === to || (component[from] === component[to] && (position[from] ?? 0) > (position[to] ?? 0)),
  )
  turnBack(count, arrows, isBack)
  return isBack
}

/** The order may turn more arrows than there are circles: what closes none runs on with the others, the heaviest first. */
function turnBack(count: number, arrows: readonly Arrow[], isBack: boolean[]): void {
  const next = outgoing(
    count,
    arrows.filter((_one, at) => !isBack[at]),
  )
  const heaviestFirst = [...arrows.entries()].filter(([at]) => isBack[at]).sort((a, b) => b[1].weight - a[1].weight)
  for (const [at, { from, to }] of heaviestFirst) {
    if (isReachable(next, to, from)) continue
    isBack[at] = false
    next[from]?.push(to)
  }
}

function isReachable(next: readonly (readonly number[])[], start: number, end: number): boolean {
  const seen = new Set([start])
  for (const n of seen) for (const to of next[n] ?? []) seen.add(to)
  return seen.has(end)
}

/** Eades, Lin and Smyth: sinks go last, sources first, and else what gives most more than it takes goes first. */
function feedbackOrder(nodes: readonly number[], arrows: readonly Arrow[]): number[] {
  const out = new Map<number, Map<number, number>>(nodes.map((n) => [n, new Map()]))
  const into = new Map<number, Map<number, number>>(nodes.map((n) => [n, new Map()]))
  const balance = new Map<number, number>(nodes.map((n) => [n, 0]))
  for (const { from, to, weight } of arrows) {
    out.get(from)?.set(to, (out.get(from)?.get(to) ?? 0) + weight)
    into.get(to)?.set(from, (into.get(to)?.get(from) ?? 0) + weight)
    balance.set(from, (balance.get(from) ?? 0) + weight)
    balance.set(to, (balance.get(to) ?? 0) - weight)
  }
  const left = new Set(nodes)
  const ready: number[] = nodes.filter((n) => out.get(n)?.size === 0 || into.get(n)?.size === 0)
  const head: number[] = []
  const tail: number[] = []
  const take = (n: number): void => {
    left.delete(n)
    for (const [to, weight] of out.get(n) ?? []) {
      into.get(to)?.delete(n)
      balance.set(to, (balance.get(to) ?? 0) + weight)
      if (into.get(to)?.size === 0) ready.push(to)
    }
    for (const [from, weight] of into.get(n) ?? []) {
      out.get(from)?.delete(n)
      balance.set(from, (balance.get(from) ?? 0) - weight)
      if (out.get(from)?.size === 0) ready.push(from)
    }
  }
  while (left.size > 0) {
    const end = ready.shift()
    if (end !== undefined) {
      if (!left.has(end)) continue
      if (out.get(end)?.size === 0) tail.push(end)
      else head.push(end)
      take(end)
      continue
    }
    let best: number | undefined
    for (const n of left) if (best === undefined || (balance.get(n) ?? 0) > (balance.get(best) ?? 0)) best = n
    if (best === undefined) break
    head.push(best)
    take(best)
  }
  return [...head, ...tail.reverse()]
}

/** Nodes so that every arrow leads to a later one. Arrows that close a circle must have been left out. */
export function topologicalOrder(count: number, arrows: readonly Arrow[]): number[] {
  const next = outgoing(count, arrows)
  const waiting = new Int32Array(count)
  for (const { to } of arrows) waiting[to] = (waiting[to] ?? 0) + 1
  const order: number[] = []
  for (let n = 0; n < count; n += 1) if (waiting[n] === 0) order.push(n)
  for (let at = 0; at < order.length; at += 1) {
    for (const to of next[order[at] ?? 0] ?? []) {
      waiting[to] = (waiting[to] ?? 0) - 1
      if (waiting[to] === 0) order.push(to)
    }
  }
  return order
}
