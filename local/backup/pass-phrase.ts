/** The pass phrase of backups: from a file or from the environment, never from the command line, which others can see. */
import { readFileSync } from 'node:fs'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PassPhraseFault } from './backup-fault.ts'
import { passPhraseCharactersMax, passPhraseCharactersMin } from './limits.ts'

const passPhraseSetting = 'WHARF_BACKUP_PASS_PHRASE'

/** Undefined where none is wanted. */
export function readPassPhrase(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): Result<string | undefined, PassPhraseFault> {
  const where = file ?? passPhraseSetting
  let text = environment[passPhraseSetting]
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch {
      return failWith({ kind: 'unread', file })
    }
  }
  if (text === undefined || (file === undefined && text === '')) return succeed(undefined)
  if (text.length < passPhraseCharactersMin || text.length > passPhraseCharactersMax)
    return failWith({ kind: 'length', place: where, least: passPhraseCharactersMin, most: passPhraseCharactersMax })
  return succeed(text)
}
