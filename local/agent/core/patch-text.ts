/**
 * Patches as models write them: files by name, changes by the lines around them instead of by line numbers.
 *
 *     *** Begin Patch
 *     *** Update File: path
 *     *** Move to: path         optional, with or without changes
 *     @@ optional line to look behind
 *      kept line
 *     -old line
 *     +new line
 *     *** Add File: path        every line begins with +
 *     *** Delete File: path
 *     *** End Patch
 */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

interface Hunk {
  /** A line that must come before the change. */
  readonly anchor: string | undefined
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly moveTo: string | undefined
      readonly hunks: readonly Hunk[]
    }

interface AtLine {
  readonly line: number
}
const sentences = {
  no_begin: 'The patch must begin with "*** Begin Patch"',
  no_end: 'The patch must end with "*** End Patch"',
  no_file: 'The patch names no file',
  no_header: ({ line }: AtLine) => `Line ${line}: a file header is expected`,
  deleted_lines: ({ line }: AtLine) => `Line ${line}: a deleted file has no lines`,
  new_line: ({ line }: AtLine) => `Line ${line}: every line of a new file begins with +`,
  sign: ({ line }: AtLine) => `Line ${line}: a line begins with a blank, + or -`,
  unchanged: ({ line }: AtLine) => `Line ${line}: the file is not changed`,
  twice: ({ path }: { path: string }) => `${path} is in the patch twice`,
}
type PatchFault = FaultOf<typeof sentences>
export const sayPatchFault = sayBy(sentences)

const hunkSentences = {
  no_anchor: ({ change, anchor }: { change: number; anchor: string }) =>
    `Change ${change}: there is no line ${JSON.stringify(anchor)}`,
  no_lines: ({ change }: { change: number }) => `Change ${change}: its old lines are not in the file`,
  lines_twice: ({ change }: { change: number }) =>
    `Change ${change}: its old lines are in the file more than once; add lines around them, or name one after @@`,
}
type HunkFault = FaultOf<typeof hunkSentences>
export const sayHunkFault = sayBy(hunkSentences)

const move = /^\*\*\* Move to: (.+)$/
/** Where a change lies by numbers, as other patches say it: the lines around it are what counts here. */
const numbers = /^ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/
const header = /^\*\*\* (Add|Delete|Update) File: (.+)$/

export function parsePatch(text: string): Result<FilePatch[], PatchFault> {
  const lines = text.replace(/\r\n/g, '\n').trim().split('\n')
  if (lines[0]?.trim() !== '*** Begin Patch') return failWith({ kind: 'no_begin' })
  if (lines.at(-1)?.trim() !== '*** End Patch') return failWith({ kind: 'no_end' })
  const files: FilePatch[] = []
  let at = 1
  while (at < lines.length - 1) {
    const match = header.exec(lines[at] ?? '')
    const name = match?.[2]?.trim()
    if (match === null || name === undefined) return failWith({ kind: 'no_header', line: at + 1 })
    let end = at + 1
    while (end < lines.length - 1 && !header.test(lines[end] ?? '')) end += 1
    const body = lines.slice(at + 1, end)
    if (match[1] === 'Delete') {
      if (body.some((line) => line.trim() !== '')) return failWith({ kind: 'deleted_lines', line: at + 2 })
      files.push({ kind: 'delete', path: name })
    } else if (match[1] === 'Add') {
      const wrong = body.findIndex((line) => !line.startsWith('+'))
      if (wrong >= 0) return failWith({ kind: 'new_line', line: at + 2 + wrong })
      files.push({ kind: 'add', path: name, text: body.map((line) => `${line.slice(1)}\n`).join('') })
    } else {
      const moveTo = move.exec(body[0] ?? '')?.[1]?.trim()
      const changes = moveTo === undefined ? body : body.slice(1)
      const isOnlyMoved = moveTo !== undefined && changes.every((line) => line.trim() === '')
      const hunks = isOnlyMoved ? succeed([]) : parseHunks(changes, end - changes.length + 1)
      if (!hunks.ok) return hunks
      files.push({ kind: 'update', path: name, moveTo, hunks: hunks.value })
    }
    at = end
  }
  if (files.length === 0) return failWith({ kind: 'no_file' })
  const names = files.flatMap((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? succeed(files) : failWith({ kind: 'twice', path: twice })
}

function parseHunks(lines: readonly string[], firstLine: number): Result<Hunk[], PatchFault> {
  const hunks: { anchor: string | undefined; before: string[]; after: string[] }[] = []
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('@@')) {
      const anchor = line.slice(2).replace(numbers, '').trim()
      hunks.push({ anchor: anchor === '' ? undefined : anchor, before: [], after: [] })
      continue
    }
    if (line === '*** End of File') continue
    if (hunks.length === 0) hunks.push({ anchor: undefined, before: [], after: [] })
    const hunk = hunks.at(-1)
    const sign = line === '' ? ' ' : line.charAt(0)
    if (hunk === undefined || !' +-'.includes(sign)) {
      return failWith({ kind: 'sign', line: firstLine + index })
    }
    if (sign !== '+') hunk.before.push(line.slice(1))
    if (sign !== '-') hunk.after.push(line.slice(1))
  }
  const changes = hunks.filter((hunk) => hunk.before.join('\n') !== hunk.after.join('\n'))
  return changes.length === 0 ? failWith({ kind: 'unchanged', line: firstLine }) : succeed(hunks)
}

/**
 * The text after the changes, or why a change does not fit. Each change is looked for behind the one before it, and where its
 * lines are there more often than changes ask for them, a line after @@ has to tell the places apart: the first of them
 * would be a guess.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): Result<string, HunkFault> {
  const endsWithNewline = text.endsWith('\n')
  let lines = text === '' ? [] : (endsWithNewline ? text.slice(0, -1) : text).split('\n')
  let from = 0
  for (const [index, hunk] of hunks.entries()) {
    if (hunk.anchor !== undefined) {
      const anchor = hunk.anchor
      const found = lines.findIndex((line, at) => at >= from && line.trim() === anchor)
      if (found < 0) return failWith({ kind: 'no_anchor', change: index + 1, anchor })
      from = found + 1
    }
    const found =
      hunk.before.length === 0 ? (hunk.anchor === undefined ? lines.length : from) : findLines(lines, hunk.before, from)
    if (found === undefined) return failWith({ kind: 'no_lines', change: index + 1 })
    const alike = hunks.slice(index).filter((other) => other.before.join('\n') === hunk.before.join('\n')).length
    if (hunk.anchor === undefined && hunk.before.length > 0 && isMoreOften(lines, hunk.before, found, alike))
      return failWith({ kind: 'lines_twice', change: index + 1 })
    lines = [...lines.slice(0, found), ...hunk.after, ...lines.slice(found + hunk.before.length)]
    from = found + hunk.after.length
  }
  const joined = lines.join('\n')
  return succeed(lines.length === 0 ? '' : endsWithNewline || text === '' ? `${joined}\n` : joined)
}

function isMoreOften(lines: readonly string[], wanted: readonly string[], first: number, times: number): boolean {
  let at: number | undefined = first
  for (let left = times; left > 0 && at !== undefined; left -= 1) at = findLines(lines, wanted, at + 1)
  return at !== undefined
}

function findLines(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, offset) => lines[at + offset] === line)) return at
  }
  return undefined
}
