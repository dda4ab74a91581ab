/** How a sealed backup begins; apart from what seals and opens it, which a start does without. */
import { closeSync, openSync, readSync } from 'node:fs'

export const sealedMark = 'wharf-sealed-backup 1\n'

export function isSealed(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const start = Buffer.alloc(sealedMark.length)
    readSync(handle, start)
    return start.toString('latin1') === sealedMark
  } finally {
    closeSync(handle)
  }
}
