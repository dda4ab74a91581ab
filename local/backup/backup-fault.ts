/** What is wrong with a backup, or keeps one from being made or put back. One line each, for a terminal and for the page. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'

interface Part {
  /** Its path within the backup. */
  readonly file: string
}

const sentences = {
  missing: 'there is no such file',
  sealed: 'it is sealed; its pass phrase is needed',
  pass_phrase: 'the pass phrase is another one, or the file is damaged or cut off',
  no_backup: 'it is no backup, or is damaged or cut off',
  foreign: 'it is no backup of wharf',
  newer: 'it was made by a newer wharf',
  list_damaged: 'its list of files is damaged',
  list_wrong: 'its list of files is none',
  heading: 'its heading is damaged',
  entry_heading: 'a heading of it is damaged',
  entry_type: 'it holds something else than files',
  cut: 'it is cut off',
  empty: 'it is empty',
  unlisted: ({ file }: Part) => `it holds ${JSON.stringify(file)}, which is not on its list`,
  file_damaged: ({ file }: Part) => `${file} in it is damaged`,
  file_missing: ({ file }: Part) => `${file} is missing in it`,
  database_damaged: ({ file, damage }: Part & { damage: string }) =>
    `the database ${file} in it is damaged (${damage})`,
  rows: ({ held, listed }: { held: number; listed: number }) => `it holds ${held} rows, and should hold ${listed}`,
  unknown_steps: ({ steps }: { steps: readonly string[] }) =>
    `it was made by a newer wharf (it knows ${steps.join(', ')}); put it back with that one`,
}

export type BackupFileFault = FaultOf<typeof sentences>
export const sayBackupFileFault = sayBy(sentences)

/** Thrown within a stream, where there is nobody to answer to. */
export class BrokenBackup extends Error {
  readonly fault: BackupFileFault

  constructor(kind: 'entry_heading' | 'entry_type' | 'cut' | 'heading' | 'pass_phrase') {
    super(sayBackupFileFault({ kind }))
    this.fault = { kind }
  }
}

const passPhraseSentences = {
  unread: ({ file }: Part) => `The file of the pass phrase ${file} cannot be read`,
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
