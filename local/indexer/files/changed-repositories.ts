/** What a range changed in a project that is one repository, or a folder with several in it. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { findRepository } from '../../git/find-repository.ts'
import { repositoriesMax } from '../limits.ts'
import { changedInRange, type RangeChange, type RangeFailure } from './changed-lines.ts'

/**
 * Asked inside of one of several repositories, the range is of that one; asked of the folder around them, of each that knows
 * it. Paths are those of the project, so that a change in one is followed into the others.
 */
export function changedInProject(root: string, range: string, within = root): Result<RangeChange, RangeFailure> {
  const found = repositoriesOf(root, within).map(
    (folder) => [folder, changedInRange(path.join(root, folder), range)] as const,
  )
  const known = found.flatMap(([folder, one]) => (one.ok ? [{ folder, change: one.value }] : []))
  if (found.some(([, one]) => !one.ok && one.failure === 'not-checked-out')) return failWith('not-checked-out')
  if (known.length === 0) return failWith('no-commit')
  const inProject = (folder: string, file: string): string => path.posix.join(folder, file)
  return succeed({
    files: known.flatMap(({ folder, change }) =>
      change.files.map((one) => ({ ...one, path: inProject(folder, one.path) })),
    ),
    removed: new Map(
      known.flatMap(({ folder, change }) =>
        [...change.removed].map(([file, lines]) => [inProject(folder, file), lines] as const),
      ),
    ),
    older: (file) => {
      const of = known.find(({ folder }) => folder === '' || file.startsWith(`${folder}/`))
      return of?.change.older(path.posix.relative(of.folder, file))
    },
  })
}

/** Folders from the root; the root itself is the empty one. */
function repositoriesOf(root: string, within: string): string[] {
  if (findRepository(root) !== undefined) return ['']
  const around = findRepository(within)?.top
  if (around !== undefined) return [path.relative(root, around).replaceAll(path.sep, '/')]
  const found: string[] = []
  const visit = (folder: string, depth: number): void => {
    for (const name of foldersIn(path.join(root, folder))) {
      if (found.length >= repositoriesMax) return
      const one = path.posix.join(folder, name)
      const place = path.join(root, one)
      if (findRepository(place)?.top === place) found.push(one)
      else if (depth > 1) visit(one, depth - 1)
    }
  }
  visit('', repositoryDepth)
  return found
}

/** `team/service` is how far below a folder its repositories are kept. */
const repositoryDepth = 2

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !one.name.startsWith('.') && one.name !== 'node_modules')
      .map((one) => one.name)
      .sort()
  } catch {
    return []
  }
}
