import { builtInIgnoredFolder } from '../../indexer/core/ignore-rules.ts'
import type { IndexAccess } from '../ports.ts'

/** Whether the index holds a file, or something of a folder, where tools put what they produce and the project has source too. */
export function isIndexedIn(index: IndexAccess): (path: string) => boolean {
  return (path) => {
    const found = index.use(({ reader, remember }) =>
      remember('source where tools produce', () => {
        const known = new Set<string>()
        for (const file of reader.files()) {
          if (builtInIgnoredFolder(file.path) === undefined) continue
          for (let at = file.path.length; at > 0; at = file.path.lastIndexOf('/', at - 1))
            known.add(file.path.slice(0, at))
        }
        return known
      }),
    )
    return found.ok && found.value.value.has(path)
  }
}
