/** Which lines of the work tree differ from a commit. */

import { pushTo } from '#shared/kernel/push-to.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { askFolder } from '../../git/read-repository.ts'
import type { ChangedFile } from '../core/change-reach.ts'

/** What a range means: two commits, or one and the work tree. */
interface Compared {
  readonly base: string
  readonly head: string | undefined
}

export interface RangeChange {
  readonly files: readonly ChangedFile[]
  /** By path the lines that the older side had and the newer has not. */
  readonly removed: ReadonlyMap<string, readonly string[]>
  /** The text that a file had on the older side. */
  readonly older: (path: string) => string | undefined
}

export type RangeFailure = 'no-commit' | 'not-checked-out'

/**
 * `BASE` against the work tree, `BASE..HEAD`, or `BASE...HEAD` from where the two parted. The lines are those of the work
 * tree, which the index is of: a newer side that is not checked out is refused.
 */
export function changedInRange(root: string, range: string): Result<RangeChange, RangeFailure> {
  const ask = (args: readonly string[]) => askFolder(root, args, process.env, { settings: ['core.quotePath=false'] })
  const commit = (name: string): string | undefined => {
    const found = ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name || 'HEAD'}^{commit}`])?.trim()
    return found === '' ? undefined : found
  }
  const compared = comparedBy(range, commit, (one, other) => ask(['merge-base', one, other])?.trim())
  if (compared === undefined) return failWith('no-commit')
  const { base, head } = compared
  const diff = ask(['diff', ...diffForm, base, ...(head === undefined ? [] : [head]), '--'])
  if (diff === undefined) return failWith('no-commit')
  const files = parseDiff(diff)
  const older = (path: string): string | undefined => ask(['cat-file', 'blob', `${base}:./${path}`])
  const removed = removedLines(diff)
  if (head !== undefined) {
    const apart = ask(['diff', '--name-only', '--no-ext-diff', '--no-renames', '--relative', '-z', head, '--'])
    if (apart === undefined) return failWith('no-commit')
    const others = new Set(apart.split('\0'))
    return files.some((one) => others.has(one.path)) ? failWith('not-checked-out') : succeed({ files, removed, older })
  }
  const fresh = ask(['ls-files', '--others', '--exclude-standard', '-z'])
  if (fresh === undefined) return failWith('no-commit')
  const added = fresh.split('\0').filter((one) => one !== '')
  return succeed({
    files: [...files, ...added.map((path): ChangedFile => ({ path, lines: 'all', gaps: [] }))],
    removed,
    older,
  })
}

function comparedBy(
  range: string,
  commit: (name: string) => string | undefined,
  mergeBase: (one: string, other: string) => string | undefined,
): Compared | undefined {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? ['', range]
  const base = commit(from)
  if (base === undefined || base === '') return undefined
  if (dots === undefined) return { base, head: undefined }
  const head = commit(to)
  if (head === undefined || head === '') return undefined
  const parted = dots === '...' ? mergeBase(base, head) : base
  return parted === undefined || parted === '' ? undefined : { base: parted, head }
}

const diffForm = [
  '-U0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

/** By file the lines of the old side, without the signs before them. */
export function removedLines(diff: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let path = ''
  let left = 0
  for (const row of diff.split('\n')) {
    if (left > 0 && row.startsWith('-')) {
      pushTo(found, path, row.slice(1))
      left -= 1
    } else if (row.startsWith('--- ')) path = nameOf(row)
    const head = hunkHead.exec(row)
    if (head !== null) left = Number(head[1] ?? 1)
  }
  return found
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** A diff without lines around its changes, as lines of the new side. A file that is gone has none. */
export function parseDiff(diff: string): ChangedFile[] {
  const found: ChangedFile[] = []
  let old = ''
  let lines: number[] = []
  let gaps: number[] = []
  const rows = diff.split('\n')
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? ''
    if (row.startsWith('--- ')) old = nameOf(row)
    if (row.startsWith('+++ ')) {
      lines = []
      gaps = []
      found.push({ path: nameOf(row) || old, lines, gaps })
    }
    const head = hunkHead.exec(row)
    if (head === null) continue
    const from = Number(head[2])
    const count = Number(head[3] ?? 1)
    if (count === 0) gaps.push(from)
    at += Number(head[1] ?? 1)
    if (rows[at + 1]?.startsWith('\\') === true) at += 1
    // An empty line more or less changes nothing.
    for (let offset = 0; offset < count; offset += 1)
      if ((rows[at + 1 + offset] ?? '').slice(1).trim() !== '') lines.push(from + offset)
    at += count
  }
  return found
}

/** Nothing for the side that has no such file. */
function nameOf(row: string): string {
  const name = row.slice(4).replace(/\t$/, '')
  if (name === '/dev/null') return ''
  return (name.startsWith('"') ? (JSON.parse(name) as string) : name).slice(2)
}
