/** The backups in a bucket beside those on the shelf: what is sent, and what makes room there. */
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { KeptBackup } from '../../workers/app/core/operating/machine.ts'
import { Bucket } from './bucket.ts'
import { readBucketAddress } from './bucket-address.ts'
import { outdated, readName, type Shelf, type Shelved } from './shelf.ts'

export interface AwaySettings {
  /** As the owner wrote it; undefined where none is wanted. */
  readonly address: string | undefined
  readonly region: string
}

/** Whose key opens the bucket: from the environment, never from the command line or the settings. */
const keyNames = { accessKeyId: 'WHARF_BACKUP_KEY_ID', secretAccessKey: 'WHARF_BACKUP_KEY_SECRET' } as const

/** Nothing leaves this machine that is not sealed. */
export function openBucket(
  { address, region }: AwaySettings,
  environment: NodeJS.ProcessEnv,
  passPhrase: string | undefined,
): Result<Bucket | undefined, string> {
  if (address === undefined) return succeed(undefined)
  const place = readBucketAddress(address)
  if (place === undefined)
    return failWith(`A bucket is an address such as https://s3.example/bucket/wharf, not ${address}`)
  const { accessKeyId, secretAccessKey } = keyNames
  const credentials = {
    accessKeyId: environment[accessKeyId] ?? '',
    secretAccessKey: environment[secretAccessKey] ?? '',
  }
  if (credentials.accessKeyId === '' || credentials.secretAccessKey === '')
    return failWith(
      `The key of the bucket ${address} is missing: set the variables ${accessKeyId} and ${secretAccessKey}`,
    )
  if (passPhrase === undefined)
    return failWith(
      `A backup that leaves this machine holds every secret: set a pass phrase for it (WHARF_BACKUP_PASS_PHRASE) before the bucket ${address} is used`,
    )
  return succeed(new Bucket({ address: place, region, credentials }))
}

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
