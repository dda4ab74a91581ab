import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { calledNamesMax } from '../../limits.ts'

/** What parts the words of a title, and stands in no folded name. */
const between = ['.', ' ', '_', '-', "'", '’', ':', '：', ',', '!', '·', '(', ')', '[', ']', '/']

/**
 * Whether a text in small letters has one of the folded names in it, with whatever parts its words. More texts have than are
 * called so: who asks reads their names.
 */
export function mayBeCalled(text: SQLiteColumn, names: readonly string[]): SQL {
  const plain = between.reduce<SQL>((so, sign) => sql`replace(${so}, ${sign}, '')`, sql`replace(${text}, '&', 'and')`)
  const list = JSON.stringify(names.slice(0, calledNamesMax))
  // The text is made plain once, and not for each name.
  return sql`exists (select 1 from (select ${plain} as plain limit 1) as it, json_each(${list}) as one where instr(it.plain, one.value) > 0)`
}
