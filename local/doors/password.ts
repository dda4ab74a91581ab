/** What opens the tools of this machine: made anew with each start, unless the owner set one. */
import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

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
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, `${password}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(fresh, file)
  return { username, password, file }
}
