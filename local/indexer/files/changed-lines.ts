/** Which lines of the work tree differ from a commit. */
import { askFolder } from '../../git/read-repository.ts'
import type { ChangedFile } from '../core/change-reach.ts'

/** Undefined where there is no such commit, or no repository. */
export function changedSince(root: string, commit: string): ChangedFile[] | undefined {
  const ask = (args: readonly string[]) => askFolder(root, args, process.env, { settings: ['core.quotePath=false'] })
  const base = ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])?.trim()
  if (base === undefined || base === '') return undefined
  const form = ['-U0', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--relative']
  const diff = ask(['diff', ...form, '--src-prefix=a/', '--dst-prefix=b/', base, '--'])
  const fresh = ask(['ls-files', '--others', '--exclude-standard', '-z'])
  if (diff === undefined || fresh === undefined) return undefined
  const added = fresh.split('\0').filter((one) => one !== '')
  return [...parseDiff(diff), ...added.map((path): ChangedFile => ({ path, lines: 'all', gaps: [] }))]
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
