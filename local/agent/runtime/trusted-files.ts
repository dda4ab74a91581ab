/**
 * Which configuration files of projects the owner trusts, by their content: a file that changes by one byte is trusted
 * no more. Kept in the data folder, where no project can write it.
 */
import { createHash } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from '@hono/zod-openapi'
import { replaceFile } from '../../files/replace-file.ts'
import { trustedFilesMax } from '../limits.ts'
import { readText } from './text-file.ts'

const trustedFiles = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))
export type TrustedFiles = Readonly<Record<string, string>>

export function trustListOf(dataDir: string): string {
  return path.join(dataDir, 'trusted.json')
}

export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A list that others may write says nothing. */
export async function readTrustedFiles(list: string | undefined): Promise<TrustedFiles> {
  if (list === undefined) return {}
  const facts = await stat(list).catch(() => undefined)
  if (facts === undefined || (facts.mode & 0o022) !== 0) return {}
  const text = await readText(list, 1024 * 1024)
  if (!text.ok || text.value === undefined) return {}
  try {
    return trustedFiles.parse(JSON.parse(text.value))
  } catch {
    return {}
  }
}

export async function writeTrustedFiles(list: string, files: TrustedFiles): Promise<void> {
  await mkdir(path.dirname(list), { recursive: true, mode: 0o700 })
  const newest = Object.entries(files).slice(-trustedFilesMax)
  replaceFile(list, `${JSON.stringify(Object.fromEntries(newest), undefined, 2)}\n`, { isSynced: true })
}
