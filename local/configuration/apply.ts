/** Hands what the file declares to the service, by the address that scripts use. */
import { createHmac } from 'node:crypto'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WireDeclaredItem } from '../../workers/app/contract/configuration.ts'
import { fileTokenPurpose, fileTokenStart } from '../../workers/app/core/file-token.ts'
import type { Declaration } from './declared.ts'
import { applyMsMax } from './limits.ts'

export interface Applying {
  /** Of the service, without a slash at its end. */
  readonly origin: string
  /** One that may configure. */
  readonly token: string
  readonly isDryRun: boolean
}

const sentences = {
  /** `said`: by the service, in English. */
  refused: ({ origin, said }: { origin: string; said: string }) => `${origin} does not take it: ${said}`,
  unanswered: ({ origin, cause }: { origin: string; cause: string }) => `${origin} does not answer: ${cause}`,
}

export type ApplyFault = FaultOf<typeof sentences>
export const sayApplyFault = sayBy(sentences)

/** What a file without entries declares. */
export const nothingDeclared: Declaration = { downloaders: [], libraries: [], sites: [], channels: [] }

export function fileToken(masterKey: string): string {
  const mac = createHmac('sha256', Buffer.from(masterKey, 'base64')).update(fileTokenPurpose)
  return `${fileTokenStart}${mac.digest('base64url')}`
}

export async function applyDeclaration(
  declaration: Declaration,
  { origin, token, isDryRun }: Applying,
): Promise<Result<readonly WireDeclaredItem[], ApplyFault>> {
  const address = `${origin}/api/settings/v1/configuration${isDryRun ? '?dry_run=1' : ''}`
  try {
    const answer = await fetch(address, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-language': 'en' },
      body: JSON.stringify(declaration),
      signal: AbortSignal.timeout(applyMsMax),
    })
    const said = (await answer.json()) as { items: WireDeclaredItem[]; message: string }
    return answer.ok ? succeed(said.items) : failWith({ kind: 'refused', origin, said: said.message })
  } catch (error) {
    return failWith({ kind: 'unanswered', origin, cause: error instanceof Error ? error.message : String(error) })
  }
}

const one = { downloaders: 'downloader', libraries: 'library', sites: 'site', channels: 'channel' } as const
const signs = { add: '+', change: '~', take_over: '~', release: '-' } as const
const notes = {
  add: '',
  change: '',
  take_over: ' (was there, now the file’s)',
  release: ' (stays, no longer the file’s)',
}

/** A line an entry. */
export function describeItem({ kind, name, change, fields, error }: WireDeclaredItem): string {
  const what = fields === undefined ? '' : `: ${fields.join(', ')}`
  const refused = error === undefined ? '' : `; left as it was: ${error}`
  return `${signs[change]} ${one[kind]} ${name}${notes[change]}${what}${refused}`
}
