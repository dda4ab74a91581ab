/** What opens the tools of this machine: made anew with each start, unless the owner set one. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { replaceFile } from '../files/replace-file.ts'

export interface ToolPassword {
  readonly username: string
  readonly password: string
  /** Where the owner finds it; undefined where it is one of his own. */
  readonly file: string | undefined
}

const passwordBytes = 32

/** A file of the owner, whole or absent; one of an earlier start opens nothing any more. */
export function makeToolPassword(
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): ToolPassword {
  const file = path.join(dataFolder, 'tools.password')
  const username = environment['SVC_SERVER_USERNAME'] ?? 'svc'
  const own = environment['SVC_SERVER_PASSWORD'] ?? ''
  if (own !== '') {
    rmSync(file, { force: true })
    return { username, password: own, file: undefined }
  }
  const password = randomBytes(passwordBytes).toString('base64url')
  replaceFile(file, `${password}\n`)
  return { username, password, file }
}
