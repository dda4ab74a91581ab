/** Symbols read last, in this browser. One port serves one project after another, so each row says whose it is. */
import { signal } from '@preact/signals'
import type { NodeRef } from '../contract/wire.ts'
import { recall, remember } from './preferences.ts'

export type RecentSymbol = Pick<NodeRef, 'id' | 'kind' | 'name' | 'qualifiedName' | 'file' | 'line'> & {
  readonly root: string
}

const key = 'viewer-ui.recent'
const keptMax = 60

function isRow(value: unknown): value is RecentSymbol {
  const row = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    ['id', 'kind', 'name', 'qualifiedName', 'file', 'root'].every((field) => typeof row[field] === 'string') &&
    typeof row['line'] === 'number'
  )
}

function read(): RecentSymbol[] {
  try {
    const rows: unknown = JSON.parse(recall(key) ?? '[]')
    return Array.isArray(rows) ? rows.filter(isRow).slice(0, keptMax) : []
  } catch {
    return []
  }
}

const rows = signal<readonly RecentSymbol[]>(read())

export function recentOf(root: string | undefined): readonly RecentSymbol[] {
  return rows.value.filter((row) => row.root === root)
}

export function noteRead(node: NodeRef, root: string): void {
  const { id, kind, name, qualifiedName, file, line } = node
  const isSame = (row: RecentSymbol): boolean =>
    row.root === root && row.kind === kind && row.file === file && row.qualifiedName === qualifiedName
  const [first] = rows.peek()
  if (first !== undefined && isSame(first) && first.id === id) return
  rows.value = [
    { id, kind, name, qualifiedName, file, line, root },
    ...rows.peek().filter((row) => !isSame(row)),
  ].slice(0, keptMax)
  remember(key, JSON.stringify(rows.value))
}

export function forgetRecent(root: string): void {
  rows.value = rows.peek().filter((row) => row.root !== root)
  remember(key, JSON.stringify(rows.value))
}

/** Where a symbol stood when it was last read, by an id that the index may not have any more. */
export function lastPlaceOf(id: string): RecentSymbol | undefined {
  return rows.peek().find((row) => row.id === id)
}
