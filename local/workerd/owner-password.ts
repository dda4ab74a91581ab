/** The password of an owner who cannot open the set-up link, as of a container: from a file, by the way the page goes. */
import { readFileSync, statSync } from 'node:fs'
import type { StartFault } from '../operating/start-faults.ts'
import { ownerPasswordFileBytesMax } from './limits.ts'

/** Answers why it is not set. What is wrong with a password the service says itself, as it would on the page. */
export async function setOwnerPassword(address: string, code: string, file = ''): Promise<StartFault | undefined> {
  let password: string
  try {
    if (statSync(file).size > ownerPasswordFileBytesMax)
      return { kind: 'password_file_large', file, bytesMax: ownerPasswordFileBytesMax }
    password = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return { kind: 'password_file_unread', file, cause }
  }
  const answer = await fetch(`${address}/api/console/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ code, password }),
  })
  const said = await answer.text()
  return answer.ok ? undefined : { kind: 'password_refused', file, said }
}
