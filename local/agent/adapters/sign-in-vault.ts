/** What a sign-in gave, sealed under a key of the data folder: neither a copy of one file nor a look at it gives it away. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { replaceFile } from '../../files/replace-file.ts'
import type { OwnerKeyFault } from '../core/owner-key-fault.ts'
import { loadOwnerKey } from './owner-key.ts'

const ivBytes = 12
const tagBytes = 16

export class SignInVault {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined where there is none, or none that this key sealed under this name. */
  read(name: string): string | undefined {
    let sealed: Buffer
    try {
      sealed = readFileSync(this.#fileOf(name))
    } catch {
      return undefined
    }
    const key = loadOwnerKey(this.#folder)
    if (!key.ok || sealed.length < ivBytes + tagBytes) return undefined
    const decipher = createDecipheriv('aes-256-gcm', key.value, sealed.subarray(0, ivBytes))
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  write(name: string, text: string): Result<void, OwnerKeyFault> {
    const key = loadOwnerKey(this.#folder)
    if (!key.ok) return key
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key.value, iv).setAAD(Buffer.from(name))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    replaceFile(this.#fileOf(name), Buffer.concat([iv, cipher.getAuthTag(), body]), { isSynced: true })
    return succeed(undefined)
  }

  remove(name: string): void {
    rmSync(this.#fileOf(name), { force: true })
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(name).digest('hex')}.sealed`)
  }
}
