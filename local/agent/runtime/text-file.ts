/** Small text files of the configuration. */
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ConfigurationFault } from '../core/configuration-fault.ts'

/**
 * The text, or nothing where there is no such file. One that is too long, or a link that leads out of `root`, is a
 * failure, never half read.
 */
export async function readText(
  file: string,
  bytesMax: number,
  root?: string,
): Promise<Result<string | undefined, ConfigurationFault>> {
  try {
    const facts = await stat(file)
    if (!facts.isFile()) return succeed(undefined)
    if (facts.size > bytesMax) return failWith({ kind: 'too_long', file, bytesMax })
    if (root !== undefined && !`${await realpath(file)}`.startsWith(`${await realpath(root)}${path.sep}`)) {
      return failWith({ kind: 'leads_out', file })
    }
    return succeed(await readFile(file, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return succeed(undefined)
    return failWith({ kind: 'unread', file })
  }
}
