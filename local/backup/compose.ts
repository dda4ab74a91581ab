/** The bucket that backups are sent to, as settings and environment have it. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { RequestSigner } from '../../workers/gateway/adapters/request-signer.ts'
import { nodeDigests } from '../gateway/node-platform.ts'
import { Bucket } from './bucket.ts'
import { type AwaySettings, readBucketAddress } from './bucket-address.ts'

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
  return succeed(
    new Bucket({ address: place, region, credentials, signer: new RequestSigner(nodeDigests, { nowMs: Date.now }) }),
  )
}
