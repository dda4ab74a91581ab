/** What has changed in a part of a list between two looks: only that goes over the wire. */

export type Row = Readonly<Record<string, unknown>>

/** A place of the part; `was` names the place its row had before, `null` a field that is gone. A new row comes whole. */
type RowChange = { readonly at: number; readonly was?: number } & Row

interface RowChanges {
  /** How many rows the part has now. */
  readonly length: number
  readonly rows: readonly RowChange[]
}

/** Undefined when nothing changed. */
export function changesOf(
  before: readonly Row[],
  now: readonly Row[],
  keyOf: (row: Row) => string,
): RowChanges | undefined {
  const places = new Map(before.map((row, at) => [keyOf(row), at]))
  const rows: RowChange[] = []
  for (const [at, row] of now.entries()) {
    const was = places.get(keyOf(row)) ?? -1
    const old = before[was]
    if (old === undefined) {
      rows.push({ ...row, at })
      continue
    }
    const changed = fieldsChanged(old, row)
    if (was !== at || Object.keys(changed).length > 0) rows.push({ ...changed, at, was })
  }
  return rows.length === 0 && before.length === now.length ? undefined : { length: now.length, rows }
}

function fieldsChanged(old: Row, row: Row): Row {
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) if (old[name] !== value) changed[name] = value
  for (const name of Object.keys(old)) if (!(name in row)) changed[name] = null
  return changed
}
