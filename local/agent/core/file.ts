/** Files of the project as they are asked for: which paths may be looked at, and which entries a search finds. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from './failure.ts'
import type { EntryType } from './vocabulary.ts'

export interface Entry {
  /** From the location on, `/` between its parts; that of a folder ends in one. */
  readonly path: string
  readonly type: EntryType
}

/** Judged as it was sent, before anything is looked up: a way up is refused even where it would come back in. */
export function judgePath(given: string, bytesMax: number): Result<string, Failure> {
  if (given.includes('\0') || new TextEncoder().encode(given).length > bytesMax) return failWith(malformed)
  if (given.startsWith('/') || given.split(/[/\\]/).includes('..')) return failWith(leavesProject)
  return succeed(given === '' ? '.' : given)
}

const malformed = failure('invalid_request', { kind: 'path_malformed' })
/** The same for what exists elsewhere and what does not. */
export const leavesProject = failure('forbidden', { kind: 'path_outside' })

/** Whether a path without links is the folder itself or lies in it. */
export function isWithin(folder: string, full: string): boolean {
  return full === folder || full.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** Folders first, then files, each by name. */
export function inListOrder(entries: readonly Entry[]): Entry[] {
  const byPath = (left: Entry, right: Entry) => (left.path < right.path ? -1 : 1)
  const of = (type: EntryType) => entries.filter((entry) => entry.type === type).sort(byPath)
  return [...of('directory'), ...of('file')]
}

export interface Found {
  readonly entries: readonly Entry[]
  /** There may be more: a bound was met first. */
  readonly isCut: boolean
}

/** Files and the folders they lie in, as far as the bounds go. */
export function entriesOf(files: readonly string[], bounds: { countMax: number; depthMax: number }): Found {
  const entries = new Map<string, Entry>()
  let isCut = false
  for (const file of files) {
    const parts = file.split('/')
    if (parts.length > bounds.depthMax) isCut = true
    for (let depth = 1; depth <= Math.min(parts.length, bounds.depthMax); depth += 1) {
      const isFile = depth === parts.length
      const path = `${parts.slice(0, depth).join('/')}${isFile ? '' : '/'}`
      if (entries.has(path)) continue
      if (entries.size === bounds.countMax) return { entries: [...entries.values()], isCut: true }
      entries.set(path, { path, type: isFile ? 'file' : 'directory' })
    }
  }
  return { entries: [...entries.values()], isCut }
}

/** Entries whose path holds the characters of the query in their order: the tightest first, then the shortest. */
export function rankEntries(entries: readonly Entry[], query: string, type: EntryType | undefined): Entry[] {
  const wanted = query.toLowerCase()
  return entries
    .filter((entry) => type === undefined || entry.type === type)
    .map((entry) => ({ entry, span: spanOf(entry.path.toLowerCase(), wanted) }))
    .filter(({ span }) => span !== undefined)
    .sort(
      (left, right) =>
        (left.span ?? 0) - (right.span ?? 0) ||
        left.entry.path.length - right.entry.path.length ||
        (left.entry.path < right.entry.path ? -1 : 1),
    )
    .map(({ entry }) => entry)
}

/** How many characters the query is spread over, in the name alone where that is tighter. */
function spanOf(path: string, wanted: string): number | undefined {
  const whole = windowOf(path, wanted)
  if (whole === undefined) return undefined
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1)
  return Math.min(whole, windowOf(name, wanted) ?? whole)
}

/** From the first place where all of it was met, back to where that began. */
function windowOf(text: string, wanted: string): number | undefined {
  let matched = 0
  let end = 0
  for (; end < text.length && matched < wanted.length; end += 1) if (text[end] === wanted[matched]) matched += 1
  if (matched < wanted.length) return undefined
  let start = end
  while (matched > 0) {
    start -= 1
    if (text[start] === wanted[matched - 1]) matched -= 1
  }
  return end - start
}
