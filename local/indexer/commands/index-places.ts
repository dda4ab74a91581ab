/** Where the index of a command is. */
import path from 'node:path'
import { findIndexRoot, type IndexPlace, indexPlace, refuseRoot } from '../store/index-folder.ts'
import { CommandRefusal } from './output.ts'

export function placeAt(context: { folderSetting: string | undefined }, root: string): IndexPlace {
  const refusal = refuseRoot(root)
  if (refusal !== undefined) throw new CommandRefusal(refusal)
  return indexPlace(root, context.folderSetting)
}

export function existingPlace(
  context: { cwd: string; folderSetting: string | undefined },
  given: string | undefined,
): IndexPlace {
  const from = path.resolve(context.cwd, given ?? '.')
  const root = findIndexRoot(from, context.folderSetting)
  if (root === undefined)
    throw new CommandRefusal(`no index at ${from} or above it; "indexer init ${given ?? '.'}" builds one`)
  return placeAt(context, root)
}
