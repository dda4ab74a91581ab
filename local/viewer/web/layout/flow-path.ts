/** Paths through the call graph as the page shows them: one chosen, the others told by where they part from it. */
interface Hop {
  readonly node: { readonly id: string }
  readonly edge: { readonly uncertain: boolean } | null
}
interface Path<H extends Hop, B> {
  readonly id: string
  readonly label: string
  readonly hops: readonly H[]
  readonly boundary: B | null
  readonly partial: boolean
}

/** A path that ends where it was asked to end. */
export function isWhole(path: Path<Hop, unknown>): boolean {
  return !path.partial && path.boundary === null
}

/** From here to a symbol in between, and on from there. A first half that stops early is all there is to show. */
export function joinPaths<H extends Hop, B>(first: Path<H, B>, second: Path<H, B> | undefined): Path<H, B> {
  const middle = first.hops.at(-1)
  const onward = second?.hops[0]
  if (second === undefined || middle === undefined || onward === undefined || !isWhole(first)) return first
  if (middle.node.id !== onward.node.id) return first
  return {
    id: [...first.hops, ...second.hops.slice(1)].map((one) => one.node.id).join('>'),
    label: `${first.label}${second.label.slice(second.label.indexOf(' → ') === -1 ? second.label.length : second.label.indexOf(' → '))}`,
    // The symbol in between shows the line that leads on.
    hops: [...first.hops.slice(0, -1), { ...onward, edge: middle.edge }, ...second.hops.slice(1)],
    boundary: second.boundary,
    partial: second.partial,
  }
}

export interface Certainty {
  readonly resolved: number
  readonly guessed: number
  /** Neighbours of a recorded path between which the index knows no link now. */
  readonly unknown: number
}

export function certaintyOf(hops: readonly Hop[]): Certainty {
  let resolved = 0
  let guessed = 0
  let unknown = 0
  for (const { edge } of hops.slice(1)) {
    if (edge === null) unknown += 1
    else if (edge.uncertain) guessed += 1
    else resolved += 1
  }
  return { resolved, guessed, unknown }
}

export interface Branch<H extends Hop> {
  /** Place of the path in the answer. */
  readonly at: number
  /** The last hop that both paths share before they part; undefined when they start apart. */
  readonly leaves: H | undefined
  /** The hop where they meet again. */
  readonly rejoins: H | undefined
  /** What only this path goes through. */
  readonly through: readonly H[]
}

export function branchesOf<H extends Hop>(
  paths: readonly { readonly hops: readonly H[] }[],
  chosen: number,
): Branch<H>[] {
  const main = paths[chosen]?.hops ?? []
  const onMain = new Set(main.map((one) => one.node.id))
  return paths.flatMap(({ hops }, at): Branch<H>[] => {
    if (at === chosen) return []
    let shared = 0
    while (shared < hops.length && hops[shared]?.node.id === main[shared]?.node.id && shared < main.length) shared += 1
    const rest = hops.slice(shared)
    const meeting = rest.findIndex((one) => onMain.has(one.node.id))
    return [
      {
        at,
        leaves: hops[shared - 1],
        rejoins: meeting === -1 ? undefined : rest[meeting],
        through: meeting === -1 ? rest : rest.slice(0, meeting),
      },
    ]
  })
}
