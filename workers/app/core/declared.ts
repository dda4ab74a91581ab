/** What a file declares beside what it declared before: which entries differ, and in what. */
import type { DeclaredChange, DeclaredKind } from './vocabulary.ts'

export interface DeclaredEntry {
  readonly name: string
  readonly [field: string]: unknown
}

/** What was applied of each kind, by name; undefined where it is not known any more what it was. */
export type AppliedEntries = Readonly<Record<string, DeclaredEntry | undefined>>

export interface DeclaredStep {
  readonly kind: DeclaredKind
  readonly name: string
  readonly change: DeclaredChange
  /** Left out where the entry is there already, and not the file's. */
  readonly fields?: readonly string[]
  /** Of an entry that is written. */
  readonly entry?: DeclaredEntry
  readonly id?: number
}

/** Entries that are as they were are no step. */
export function planDeclared(
  kind: DeclaredKind,
  wanted: readonly DeclaredEntry[],
  owned: ReadonlySet<string>,
  applied: AppliedEntries,
  present: ReadonlyMap<string, number>,
): DeclaredStep[] {
  const writes = wanted.flatMap((entry): DeclaredStep[] => {
    const { name } = entry
    const id = present.get(name)
    if (id === undefined) return [{ kind, name, change: 'add', entry }]
    if (!owned.has(name)) return [{ kind, name, change: 'take_over', entry, id }]
    const before = applied[name]
    const fields = before === undefined ? Object.keys(entry) : changedFields(before, entry)
    return fields.length === 0 ? [] : [{ kind, name, change: 'change', fields, entry, id }]
  })
  const names = new Set(wanted.map(({ name }) => name))
  const gone = [...owned].filter((name) => !names.has(name))
  return [...writes, ...gone.map((name): DeclaredStep => ({ kind, name, change: 'release' }))]
}

function changedFields(before: DeclaredEntry, after: DeclaredEntry): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => written(before[name]) !== written(after[name])).sort()
}

/** Whatever the order of a table's keys. */
function written(value: unknown): string {
  return (
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    ) ?? ''
  )
}

/** The first name that stands there twice. */
export function repeatedName(entries: readonly DeclaredEntry[]): number | undefined {
  const at = entries.findIndex(({ name }, index) => entries.findIndex((one) => one.name === name) < index)
  return at === -1 ? undefined : at
}
