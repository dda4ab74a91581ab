/** A unified patch as lines with their numbers, by hunk. Pure. */
export interface PatchLine {
  readonly kind: 'same' | 'added' | 'deleted'
  readonly before: number | undefined
  readonly after: number | undefined
  readonly text: string
}

export interface Hunk {
  /** What the patch says of the place, such as the function it is in. */
  readonly place: string
  readonly lines: readonly PatchLine[]
  readonly added: number
  readonly deleted: number
}

const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/

export function readPatch(patch: string): readonly Hunk[] {
  const hunks: { place: string; lines: PatchLine[]; added: number; deleted: number }[] = []
  let before = 0
  let after = 0
  for (const line of patch.split('\n')) {
    const found = head.exec(line)
    if (found !== null) {
      before = Number(found[1])
      after = Number(found[2])
      hunks.push({ place: found[3] ?? '', lines: [], added: 0, deleted: 0 })
      continue
    }
    const hunk = hunks.at(-1)
    if (hunk === undefined) continue
    const text = line.slice(1)
    if (line.startsWith('+')) {
      hunk.lines.push({ kind: 'added', before: undefined, after, text })
      hunk.added += 1
      after += 1
    } else if (line.startsWith('-')) {
      hunk.lines.push({ kind: 'deleted', before, after: undefined, text })
      hunk.deleted += 1
      before += 1
    } else if (line.startsWith(' ')) {
      hunk.lines.push({ kind: 'same', before, after, text })
      before += 1
      after += 1
    }
  }
  return hunks
}

export function countsOf(hunks: readonly Hunk[]): { readonly added: number; readonly deleted: number } {
  return {
    added: hunks.reduce((sum, hunk) => sum + hunk.added, 0),
    deleted: hunks.reduce((sum, hunk) => sum + hunk.deleted, 0),
  }
}

/** Marks of hunks that the owner keeps: the newest of them, so that they stay few. */
export const acceptedMax = 500

export function withMark(marks: ReadonlySet<string>, mark: string, isAccepted: boolean): ReadonlySet<string> {
  const rest = [...marks].filter((one) => one !== mark)
  return new Set((isAccepted ? [...rest, mark] : rest).slice(-acceptedMax))
}
