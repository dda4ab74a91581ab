import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Paths of the files of these names, from the folder on; without hidden folders and packages. */
export function filesBelow(root: string, names: RegExp, folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return /^(\.|(node_modules|vendor)$)/.test(entry.name) ? [] : filesBelow(root, names, file)
    return names.test(entry.name) ? [file] : []
  })
}
