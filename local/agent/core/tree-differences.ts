/** What differs between two git trees, and the steps that lie between them. */
import { splitNul } from './changed-files.ts'

export interface TreeEntry {
  readonly mode: string
  readonly sha: string
}

export interface Difference {
  readonly name: string
  /** Undefined where there was nothing, or is nothing any more. */
  readonly was: TreeEntry | undefined
  readonly is: TreeEntry | undefined
}

/** What a step did: the tree before it and after it, and which of the paths that differ are its own. */
export interface KeptStep {
  readonly before: string
  readonly after: string
  readonly paths: ReadonlySet<string>
}

const absent = '000000'

export function isSameEntry(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.mode === right?.mode && left?.sha === right?.sha
}

/** Files with and without leave to be run are of one kind. */
export function isAnotherKind(was: TreeEntry | undefined, is: TreeEntry | undefined): boolean {
  return was !== undefined && is !== undefined && was.mode.slice(0, 3) !== is.mode.slice(0, 3)
}

/** Whether each step began with what the one before it left, and the last one left what there is now. */
export function isUnbroken(steps: readonly KeptStep[], now: string): boolean {
  return steps.every(({ after }, at) => after === (steps[at + 1]?.before ?? now))
}

/** As `git diff-tree -r -z --raw --no-abbrev` says it. */
export function readDifferences(text: string): readonly Difference[] {
  const parts = splitNul(text)
  const differences: Difference[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [wasMode = absent, isMode = absent, wasSha = '', isSha = ''] = parts[at]?.slice(1).split(' ') ?? []
    differences.push({ name: parts[at + 1] ?? '', was: entryOf(wasMode, wasSha), is: entryOf(isMode, isSha) })
  }
  return differences
}

function entryOf(mode: string, sha: string): TreeEntry | undefined {
  return mode === absent ? undefined : { mode, sha }
}

/** Each begins with a line of its own; the last one is not whole where reading stopped. */
export function wholePatches(text: string, bytesMax: number): string[] {
  const patches = text.split(/^(?=diff --git )/m)
  return new TextEncoder().encode(text).length < bytesMax ? patches : patches.slice(0, -1)
}
