/** What a change reaches, for whoever runs only the tests that can tell. */
import path from 'node:path'
import { changedSymbols, filesReaching, testsReaching } from '../core/change-reach.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import { changedInProject } from '../files/changed-repositories.ts'
import { statSource } from '../files/list-files.ts'
import { CommandRefusal, printJson } from './output.ts'
import { type ReadContext, withIndex } from './read-commands.ts'

export function affectedCommand(context: ReadContext, commit: string, isTestsOnly: boolean, within: string): void {
  const { place, output } = context
  withIndex(place, ({ reader }) => {
    const own = `${path.relative(place.root, place.folder)}/`
    // A range is for a review: here it is a commit against the work tree.
    const found = commit.includes('..') ? undefined : changedInProject(place.root, commit, within)
    if (found?.ok !== true)
      throw new CommandRefusal(`"${commit}" is no commit of a repository that holds ${place.root}`)
    const changed = found.value.files.filter((one) => !one.path.startsWith(own))
    // Lines are those of the work tree: an index of another text would name the wrong symbols.
    const stale = changed.find((one) => isStale(reader, place.root, one.path))
    if (stale !== undefined)
      throw new CommandRefusal(`${stale.path} is not as it was indexed; "indexer sync" brings it in`)
    const { symbols, notIndexed } = changedSymbols(reader.graph, changed)
    const files = (isTestsOnly ? testsReaching : filesReaching)(reader.graph, symbols)
      .map(({ file, isCertain, through }) => ({ file: file.path, isCertain, through }))
      .sort((left, right) => Number(right.isCertain) - Number(left.isCertain) || (left.file < right.file ? -1 : 1))
    if (context.isJson) {
      const names = symbols.map((n) => ({
        name: reader.graph.qualifiedNameOf(n),
        file: reader.graph.fileOfNode(n).path,
      }))
      printJson(output, { since: commit, changed: names, notIndexed, files })
      return
    }
    for (const one of files)
      output.line(`${one.isCertain ? 'certain ' : 'possible'}  ${one.file}  through ${one.through.join(' > ')}`)
    if (files.length === 0)
      output.line(`no ${isTestsOnly ? 'tests reach' : 'files reach'} what changed since ${commit}`)
    if (notIndexed.length > 0) output.line(`not in the index, so nothing is known of them: ${notIndexed.join(', ')}`)
  })
}

function isStale(reader: GraphReader, root: string, name: string): boolean {
  const file = reader.fileByPath(name)
  const now = statSource(root, name)
  if (file === undefined || now === undefined) return file !== undefined
  return file.size !== now.size || file.modifiedMs !== now.modifiedMs
}
