/** What a Cargo.toml says of its package: how others name it, where its targets begin, and what it calls others. */
import type { RustCrate } from '../resolve/rust-modules.ts'
import { join, normalise } from '../resolve/script-modules.ts'

export function rustCrate(folder: string, text: string): RustCrate[] {
  let table = ''
  let name = ''
  let library: string | undefined
  let libraryName: string | undefined
  const roots: string[] = []
  const renamed = new Map<string, string>()
  for (const line of text.split('\n')) {
    const head = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1]
    if (head !== undefined) {
      table = head.replaceAll('"', '')
      continue
    }
    const [, key = '', value = ''] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? []
    const written = /^"([^"]*)"/.exec(value)?.[1]
    if (table === 'package' && key === 'name') name = written ?? ''
    if (table === 'lib' && key === 'name') libraryName = written
    const place = key === 'path' && written !== undefined ? normalise(join(folder, written)) : undefined
    if (place !== undefined && table === 'lib') library = place
    if (place !== undefined && /^(lib|bin|test|bench|example)$/.test(table)) roots.push(place)
    const other = /\bpackage\s*=\s*"([^"]+)"/.exec(value)?.[1]
    if (/dependencies$/.test(table) && other !== undefined) renamed.set(named(key), named(other))
    const own = /dependencies\.([\w-]+)$/.exec(table)?.[1]
    if (own !== undefined && key === 'package' && written !== undefined) renamed.set(named(own), named(written))
  }
  // A workspace without a package of its own is no crate.
  if (name === '') return []
  return [{ folder, name: named(libraryName ?? name), library: library ?? join(folder, 'src/lib.rs'), roots, renamed }]
}

/** As code writes it. */
function named(name: string): string {
  return name.replaceAll('-', '_')
}
