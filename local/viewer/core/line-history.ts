/** Whose change made each line of a file, read from what git says of it. */
import type { BlameAnswer } from '../contract/wire.ts'

export type LineHistory = Pick<BlameAnswer, 'commits' | 'parts'>

type Commit = LineHistory['commits'][number]

const nameCharsMax = 80
const subjectCharsMax = 200
const idCharsShown = 12
/** By what git names lines that are in no commit yet. */
const uncommitted = /^0+$/

/** From the lines of `git blame --incremental`, which come in no order; each commit is described once. */
export function lineHistory(text: string): LineHistory {
  const commits: Commit[] = []
  const placeOf = new Map<string, number>()
  const parts: { from: number; to: number; commit: number }[] = []
  let id = ''
  let said = new Map<string, string>()
  for (const row of text.split('\n')) {
    const [, named, at, count] = /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/.exec(row) ?? []
    if (named !== undefined) {
      id = named
      said = new Map()
      const from = Number(at)
      parts.push({ from, to: from + Number(count) - 1, commit: placeOf.get(id) ?? commits.length })
      continue
    }
    const space = row.indexOf(' ')
    if (space > 0) said.set(row.slice(0, space), row.slice(space + 1))
    // The name of the file ends what is said of a piece.
    if (!row.startsWith('filename ') || placeOf.has(id)) continue
    placeOf.set(id, commits.length)
    commits.push(commitOf(id, said))
  }
  return { commits, parts: joined(parts.sort((left, right) => left.from - right.from)) }
}

function commitOf(id: string, said: ReadonlyMap<string, string>): Commit {
  if (uncommitted.test(id)) return { id: null, name: '', at: null, subject: '' }
  const seconds = Number(said.get('author-time'))
  return {
    id: id.slice(0, idCharsShown),
    name: (said.get('author') ?? '').slice(0, nameCharsMax),
    at: Number.isSafeInteger(seconds) && said.has('author-time') ? seconds * 1000 : null,
    subject: (said.get('summary') ?? '').slice(0, subjectCharsMax),
  }
}

function joined(parts: readonly { from: number; to: number; commit: number }[]): LineHistory['parts'] {
  const found: { from: number; to: number; commit: number }[] = []
  for (const part of parts) {
    const before = found.at(-1)
    if (before?.commit === part.commit && before.to + 1 === part.from) before.to = part.to
    else found.push({ ...part })
  }
  return found
}
