/** What a backup says of itself: the first entry of its archive. */
import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { BackupTrouble } from '../../workers/app/core/operating/backup-trouble.ts'
import { backupReasons } from '../../workers/app/core/operating/machine.ts'
import { entriesMax, pathCharactersMax } from './limits.ts'

const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the service that made it. */
  version: z.string(),
  madeAtUnix: z.int().min(0),
  reason: z.enum(backupReasons),
  /** Steps of the main database. */
  migrations: z.array(z.string()),
  /** Of all tables of all databases. */
  rows: z.int().min(0),
  files: z
    .array(
      z.object({
        path: z.string().max(pathCharactersMax).refine(isInside),
        bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        kind: z.enum(['database', 'file']),
      }),
    )
    .max(entriesMax),
  /** Databases that were not whole when the backup was made; they are in it as they were. */
  damaged: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

export const manifestName = 'manifest.json'

/** Where a file may lie: below the data folder, by plain names. */
export function isInside(file: string): boolean {
  return file.split('/').every((part) => /^[^\\\p{Cc}]+$/u.test(part) && part !== '.' && part !== '..')
}

export function readManifest(text: string): Result<Manifest, BackupTrouble> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return failWith({ kind: 'list_damaged' })
  }
  if (typeof value === 'object' && value !== null && 'format' in value && typeof value.format === 'number')
    if (value.format > 1) return failWith({ kind: 'newer' })
  const parsed = manifestSchema.safeParse(value)
  return parsed.success ? succeed(parsed.data) : failWith({ kind: 'list_wrong' })
}
