/** The bucket that backups are sent to, as settings and environment have it. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { RequestSigner } from '../../workers/gateway/adapters/request-signer.ts'
import { nodeDigests } from '../gateway/node-platform.ts'
import type { BucketStartFault } from './backup-fault.ts'
import { Bucket } from './bucket.ts'
import { type AwaySettings, readBucketAddress } from './bucket-address.ts'

/** Whose key opens the bucket: from the environment, never from the command line or the settings. */
const keyNames = { accessKeyId: 'WHARF_BACKUP_KEY_ID', secretAccessKey: 'WHARF_BACKUP_KEY_SECRET' } as const

/** Nothing leaves this machine that is not sealed. */
export function openBucket(
  { address, region }: AwaySettings,
  environment: NodeJS.ProcessEnv,
  passPhrase: string | undefined,
): Result<Bucket | undefined, BucketStartFault> {
  if (address === undefined) return succeed(undefined)
  const place = readBucketAddress(address)
  if (place === undefined) return failWith({ kind: 'address', address })
  const { accessKeyId, secretAccessKey } = keyNames
  const credentials = {
    accessKeyId: environment[accessKeyId] ?? '',
    secretAccessKey: environment[secretAccessKey] ?? '',
  }
  if (credentials.accessKeyId === '' || credentials.secretAccessKey === '')
    return failWith({ kind: 'no_key', address, variables: [accessKeyId, secretAccessKey] })
  if (passPhrase === undefined) return failWith({ kind: 'not_sealed', address })
  return succeed(
    new Bucket({ address: place, region, credentials, signer: new RequestSigner(nodeDigests, { nowMs: Date.now }) }),
  )
}
