/** The backups in a bucket beside those on the shelf: what is sent, and what makes room there. */
import path from 'node:path'
import type { KeptBackup } from '../../workers/app/core/operating/machine.ts'
import type { Bucket } from './bucket.ts'
import { outdated, readName, type Shelf, type Shelved } from './shelf.ts'

export interface AwayState {
  /** Names in the bucket when it was last asked. */
  readonly names: ReadonlySet<string>
  readonly atUnix: number
}

interface Planned {
  readonly send: readonly KeptBackup[]
  readonly remove: readonly Shelved[]
}

/** Both places follow one rule of how many are kept; what makes room in the bucket is not sent there again. */
export function planAway(
  here: readonly KeptBackup[],
  there: readonly (Shelved & { readonly bytes: number })[],
): Planned {
  const sealed = here.filter(({ isSealed }) => isSealed)
  const all = new Map<string, Shelved>([...there, ...sealed].map((one) => [one.name, one]))
  const gone = new Set(outdated([...all.values()]).map(({ name }) => name))
  const isThere = (own: KeptBackup) => there.some(({ name, bytes }) => name === own.name && bytes === own.bytes)
  return {
    send: sealed.filter((one) => !gone.has(one.name) && !isThere(one)),
    remove: there.filter(({ name }) => gone.has(name)),
  }
}

/** Other objects below the same prefix are somebody else's, and left alone. */
export async function sendAway(bucket: Bucket, shelf: Shelf, nowUnix: () => number): Promise<AwayState> {
  const there = (await bucket.list()).flatMap(({ name, bytes }) => {
    const read = readName(name)
    return read === undefined ? [] : [{ ...read, bytes }]
  })
  const { send, remove } = planAway(shelf.list(), there)
  const names = new Set(there.map(({ name }) => name))
  for (const { name } of send) {
    await bucket.put(name, path.join(shelf.folder, name))
    names.add(name)
  }
  for (const { name } of remove) {
    await bucket.delete(name)
    names.delete(name)
  }
  return { names, atUnix: nowUnix() }
}
