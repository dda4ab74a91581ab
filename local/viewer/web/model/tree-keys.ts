/** What the keys of a tree do, by the rows that are on screen in their order. Pure. */
export interface TreeRow {
  /** 1 at the root. */
  readonly level: number
  /** Undefined for what holds nothing. */
  readonly isOpen: boolean | undefined
}

export type TreeMove = { readonly focus: number } | { readonly toggle: number }

/** Undefined for a key that the tree does not know; at an end it stays where it is. */
export function treeMove(rows: readonly TreeRow[], at: number, key: string): TreeMove | undefined {
  const row = rows[at]
  if (row === undefined) return undefined
  const last = rows.length - 1
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(last, at + 1) }
    case 'ArrowUp':
      return { focus: Math.max(0, at - 1) }
    case 'Home':
      return { focus: 0 }
    case 'End':
      return { focus: last }
    case 'ArrowRight': {
      if (row.isOpen === false) return { toggle: at }
      const isFirstInside = row.isOpen === true && (rows[at + 1]?.level ?? 0) > row.level
      return { focus: isFirstInside ? at + 1 : at }
    }
    case 'ArrowLeft': {
      if (row.isOpen === true) return { toggle: at }
      const parent = rows.findLastIndex((one, index) => index < at && one.level < row.level)
      return { focus: parent === -1 ? at : parent }
    }
    default:
      return undefined
  }
}

/** Every folder on the way to a path, the folder itself included: `src`, `src/queue` for `src/queue/lease.ts`. */
export function foldersTo(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
