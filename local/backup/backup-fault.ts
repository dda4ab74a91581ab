/** What keeps backups from being opened, sealed or sent, in one line each for a terminal. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type BackupTrouble, backupTroubleInEnglish } from '../../workers/app/core/operating/backup-trouble.ts'

/** As the command says it, which reaches no further than this folder. */
export type BackupFileFault = BackupTrouble
export const sayBackupFileFault = backupTroubleInEnglish

/** Thrown within a stream, where there is nobody to answer to. */
export class BrokenBackup extends Error {
  readonly fault: BackupTrouble

  constructor(kind: 'entry_heading' | 'entry_type' | 'cut' | 'heading' | 'pass_phrase') {
    super(backupTroubleInEnglish({ kind }))
    this.fault = { kind }
  }
}

const passPhraseSentences = {
  unread: ({ file }: { file: string }) => `The file of the pass phrase ${file} cannot be read`,
  length: ({ place, least, most }: { place: string; least: number; most: number }) =>
    `The pass phrase in ${place} takes ${least} to ${most} characters`,
}

export type PassPhraseFault = FaultOf<typeof passPhraseSentences>
export const sayPassPhraseFault = sayBy(passPhraseSentences)

const bucketSentences = {
  address: ({ address }: { address: string }) =>
    `A bucket is an address such as https://s3.example/bucket/wharf, not ${address}`,
  no_address: 'There is no bucket without an address',
  no_key: ({ address, variables }: { address: string; variables: readonly string[] }) =>
    `The key of the bucket ${address} is missing: set the variables ${variables.join(' and ')}`,
  not_sealed: ({ address }: { address: string }) =>
    `A backup that leaves this machine holds every secret: set a pass phrase for it (WHARF_BACKUP_PASS_PHRASE) before the bucket ${address} is used`,
}

/** Why a bucket is not opened. */
export type BucketStartFault = FaultOf<typeof bucketSentences>
export const sayBucketStartFault = sayBy(bucketSentences)
