import { isRecord, listOf, textOf } from '#shared/kernel/json-record.ts'

/** Members that are read of each kind of record; of other kinds nothing is read. */
export type ReadMembers = Readonly<Record<string, readonly string[]>>

/** What asks for nothing, or for what is done without it. */
export function asksForNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(asksForNothing)
  return value === null || value === undefined || value === false || value === 0 || value === ''
}

/** The kinds and members of records in a list, and in their own lists of content, that a translation passes over. */
export function unreadMembers(list: unknown, read: ReadMembers, path: string, usualKind: string): readonly string[] {
  const found = new Set<string>()
  for (const record of listOf(list)) {
    if (!isRecord(record)) continue
    const kind = textOf(record['type']) ?? usualKind
    const members = Object.hasOwn(read, kind) ? read[kind] : undefined
    if (members === undefined) {
      found.add(`${path}.${kind}`)
      continue
    }
    for (const [name, value] of Object.entries(record)) {
      if (!members.includes(name)) {
        if (!asksForNothing(value)) found.add(`${path}.${name}`)
      } else if (Array.isArray(value)) {
        for (const inner of unreadMembers(value, read, `${path}.${name}`, 'text')) found.add(inner)
      }
    }
  }
  return [...found]
}

/** The members of a request that its shape does not have, at any depth. */
export function membersLeftOut(sent: unknown, read: unknown, path = ''): readonly string[] {
  if (Array.isArray(sent) && Array.isArray(read)) {
    return [...new Set(sent.flatMap((one, index) => membersLeftOut(one, read[index], path)))]
  }
  if (!isRecord(sent) || !isRecord(read)) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    if (Object.hasOwn(read, name)) return membersLeftOut(value, read[name], `${path}${name}.`)
    return asksForNothing(value) ? [] : [path + name]
  })
}
