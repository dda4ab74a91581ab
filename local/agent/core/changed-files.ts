/** What git says about files that differ, with a zero byte after each. */
import type { FileDiff } from './session/message.ts'

export interface ChangedFile {
  /** From the location on; that of a folder of new files ends in a slash. */
  readonly path: string
  readonly status: FileDiff['status']
  /** Absent for what git does not know yet. */
  readonly additions?: number
  readonly deletions?: number
  /** Where one file was asked for. */
  readonly patch?: string
}

export interface GitStatus {
  /** Absent where no branch is checked out. */
  readonly branch: string | undefined
  readonly files: readonly ChangedFile[]
}

/** Lines that were added and deleted (`--numstat`), by path; of what is no text none. */
export function readCounts(numbers: string): Map<string, readonly [added: number, deleted: number]> {
  return new Map(
    splitNul(numbers).map((line) => {
      const [, added, deleted, name = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(line) ?? []
      return [name, [Number(added) || 0, Number(deleted) || 0]]
    }),
  )
}

/** From a status (`--porcelain --branch`) and the lines since the last commit; paths are from a folder of the repository on. */
export function readStatus(status: string, numbers: string, inside: string): GitStatus {
  const counts = readCounts(numbers)
  const prefix = inside === '' ? '' : `${inside}/`
  const [head = '', ...lines] = splitNul(status)
  const files = lines
    .map((line) => ({ letters: line.slice(0, 2), name: line.slice(3) }))
    .filter(({ name }) => name.startsWith(prefix) && name !== prefix)
    .map(({ letters, name }) => {
      const count = counts.get(name)
      return {
        path: name.slice(prefix.length),
        status: statusOf(letters),
        ...(count === undefined ? {} : { additions: count[0], deletions: count[1] }),
      }
    })
  return { branch: branchOf(head), files }
}

/** `## main...origin/main [ahead 1]`, `## No commits yet on main`, `## HEAD (no branch)`; no branch has two dots in its name. */
function branchOf(head: string): string | undefined {
  const said = head.replace(/^## (?:No commits yet on )?/, '')
  return said === 'HEAD (no branch)' ? undefined : said.split('...', 1)[0]
}

/** The first letter is of what is to be committed, the second of the files. */
function statusOf(letters: string): ChangedFile['status'] {
  if (letters === '??' || letters[0] === 'A') return 'added'
  return letters.includes('D') ? 'deleted' : 'modified'
}

/** What git ended with a zero byte each (`-z`). */
export function splitNul(text: string): string[] {
  return text.split('\0').filter((part) => part !== '')
}
