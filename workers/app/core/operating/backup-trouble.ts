/** What is wrong with a backup, or kept one from being made or sent: facts, told by the machine that keeps it. */
import { sayBy } from '#shared/kernel/fault-words.ts'

interface Part {
  /** Its path within the backup. */
  readonly file: string
}

export type BackupTrouble =
  | {
      readonly kind:
        | 'missing'
        | 'sealed'
        | 'pass_phrase'
        | 'no_backup'
        | 'foreign'
        | 'newer'
        | 'list_damaged'
        | 'list_wrong'
        | 'heading'
        | 'entry_heading'
        | 'entry_type'
        | 'cut'
        | 'empty'
        | 'gone'
    }
  | ({ readonly kind: 'unlisted' } & Part)
  | ({ readonly kind: 'file_damaged' } & Part)
  | ({ readonly kind: 'file_missing' } & Part)
  | ({ readonly kind: 'database_damaged'; readonly damage: string } & Part)
  | { readonly kind: 'rows'; readonly held: number; readonly listed: number }
  | { readonly kind: 'unknown_steps'; readonly steps: readonly string[] }
  | { readonly kind: 'disk_full'; readonly folder: string }
  /** What the system or the bucket said, in words of its own. */
  | { readonly kind: 'unexpected'; readonly words: string }

export const backupTroubleInEnglish: (trouble: BackupTrouble) => string = sayBy({
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
  gone: 'it is not there any more',
  unlisted: ({ file }: Part) => `it holds ${JSON.stringify(file)}, which is not on its list`,
  file_damaged: ({ file }: Part) => `${file} in it is damaged`,
  file_missing: ({ file }: Part) => `${file} is missing in it`,
  database_damaged: ({ file, damage }: Part & { damage: string }) =>
    `the database ${file} in it is damaged (${damage})`,
  rows: ({ held, listed }: { held: number; listed: number }) => `it holds ${held} rows, and should hold ${listed}`,
  unknown_steps: ({ steps }: { steps: readonly string[] }) =>
    `it was made by a newer wharf (it knows ${steps.join(', ')}); put it back with that one`,
  disk_full: ({ folder }: { folder: string }) => `the disk that holds ${folder} is full`,
  unexpected: ({ words }: { words: string }) => words,
})
