/** One folder of the project: its folders and files, and what of it the index does not have. */
import type { LeftOut } from '../../indexer/core/left-out.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import type { OfIndex, TreeAnswer } from '../contract/wire.ts'
import { listOf } from './graph-shapes.ts'
import { compareText } from './search.ts'

interface Below {
  files: number
  leftOut: number
}

/** Undefined where nothing is known of the folder; the root, which is the empty name, is always there. */
export function folderOf(
  allFiles: readonly FileRow[],
  allLeftOut: readonly LeftOut[],
  folder: string,
  limit: number,
): OfIndex<TreeAnswer> | undefined {
  const prefix = folder === '' ? '' : `${folder}/`
  const isInside = ({ path }: { readonly path: string }): boolean => path.startsWith(prefix) && path !== prefix
  const files = allFiles.filter(isInside)
  const leftOut = allLeftOut.filter(isInside)
  if (folder !== '' && files.length === 0 && leftOut.length === 0) return undefined
  const below = new Map<string, Below>()
  const languages = new Map<FileRow['language'], number>()
  const here: FileRow[] = []
  const leftOutHere: LeftOut[] = []
  for (const file of files) {
    languages.set(file.language, (languages.get(file.language) ?? 0) + 1)
    const inner = folderBelow(file.path, prefix)
    if (inner === undefined) here.push(file)
    else countedIn(below, inner).files += 1
  }
  for (const one of leftOut) {
    const inner = folderBelow(one.path, prefix)
    if (inner === undefined) leftOutHere.push(one)
    else countedIn(below, inner).leftOut += one.files
  }
  return {
    folder,
    files: files.length,
    leftOut: leftOut.reduce((sum, one) => sum + one.files, 0),
    languages: [...languages]
      .map(([language, count]) => ({ language, files: count }))
      .sort((left, right) => right.files - left.files || compareText(left.language, right.language)),
    folders: listOf([...below].map(([path, counts]) => ({ path, ...counts })).sort(byPath), limit),
    here: listOf(
      here
        .map(({ path, language, isGenerated, givenUp, errors }) => ({
          ...{ path, language, generated: isGenerated },
          ...{ givenUp: givenUp ?? null, halfParsed: errors.length > 0 },
        }))
        .sort(byPath),
      limit,
    ),
    leftOutHere: listOf(leftOutHere.sort(byPath), limit),
  }
}

/** The folder of the next step in which it lies; undefined where it lies here. A folder left out whole lies here. */
function folderBelow(path: string, prefix: string): string | undefined {
  const slash = path.indexOf('/', prefix.length)
  return slash === -1 || slash === path.length - 1 ? undefined : path.slice(0, slash)
}

function countedIn(below: Map<string, Below>, folder: string): Below {
  const counts = below.get(folder) ?? { files: 0, leftOut: 0 }
  below.set(folder, counts)
  return counts
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return compareText(left.path, right.path)
}
