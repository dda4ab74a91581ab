/** Finds symbols by a part of their name: all names are one text, which is searched faster than one after another. */
import type { NodeColumns } from './columns.ts'

/** A character that nobody types and no name holds. */
const separator = '\u0000'
/** Longer names are ranked like one of this many characters. */
const charactersRanked = 1000

export class NameSearch {
  readonly #nodes: NodeColumns
  readonly #fileOf: Uint32Array
  /** Qualified names in lower case, by node number. */
  readonly #text: string
  /** Where the name of each node starts. */
  readonly #starts: Uint32Array

  constructor(nodes: NodeColumns, fileOf: Uint32Array) {
    this.#nodes = nodes
    this.#fileOf = fileOf
    const size = nodes.names.length
    const names: string[] = []
    this.#starts = new Uint32Array(size + 1)
    let length = 0
    for (let n = 0; n < size; n += 1) {
      this.#starts[n] = length
      const name = (nodes.qualifiedNames[n] ?? nodes.names[n] ?? '').toLowerCase()
      names.push(name)
      length += name.length + 1
    }
    this.#starts[size] = length
    this.#text = names.join(separator)
  }

  /** Nodes whose qualified name holds the text, whatever the case: in the name itself first, then the shorter name. */
  find(text: string, limit: number): number[] {
    const wanted = text.toLowerCase()
    if (wanted === '' || wanted.includes(separator)) return []
    const found: number[] = []
    const ranks: number[] = []
    this.#each(wanted, (n, name) => {
      found.push(n)
      ranks.push(this.#rankOf(n, name, wanted))
    })
    const last = lastRankShown(ranks, limit)
    return found
      .map((n, at) => ({ n, rank: ranks[at] ?? 0, file: this.#fileOf[n] ?? 0 }))
      .filter((one) => one.rank <= last)
      .sort((left, right) => left.rank - right.rank || left.file - right.file || left.n - right.n)
      .slice(0, limit)
      .map((one) => one.n)
  }

  #each(wanted: string, visit: (n: number, qualifiedName: string) => void): void {
    const text = this.#text
    const starts = this.#starts
    let n = 0
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, starts[n + 1] ?? text.length)) {
      n = lastAtOrBefore(starts, at, n)
      visit(n, text.slice(starts[n], (starts[n + 1] ?? 0) - 1))
    }
  }

  #rankOf(n: number, qualifiedName: string, wanted: string): number {
    const { names, qualifiedNames } = this.#nodes
    const name = names[n] ?? ''
    // Most names are the end of their qualified name, where they need not be put into lower case once more.
    const isInName =
      qualifiedNames[n] === null ||
      qualifiedName.includes(wanted, qualifiedName.length - name.length) ||
      name.toLowerCase().includes(wanted)
    return Math.min(name.length, charactersRanked) + (isInName ? 0 : charactersRanked)
  }
}

/** The rank up to which as many are ranked as are wanted: a letter is in most names, and few of those are shown. */
function lastRankShown(ranks: readonly number[], limit: number): number {
  const counts = new Uint32Array(2 * charactersRanked + 1)
  for (const rank of ranks) counts[rank] = (counts[rank] ?? 0) + 1
  let seen = 0
  for (let rank = 0; rank < counts.length; rank += 1) {
    seen += counts[rank] ?? 0
    if (seen >= limit) return rank
  }
  return counts.length
}

function lastAtOrBefore(starts: Uint32Array, at: number, from: number): number {
  // What is looked for is often in the next names.
  for (let near = from; near < from + 4; near += 1) if ((starts[near + 1] ?? 0) > at) return near
  let low = from
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}
