/** What a failure of the database says of the disk below it, whichever runtime and package it came through. */
import type { Reason } from '../reason/reason.ts'

const marks: readonly (readonly [mark: RegExp, reason: Reason])[] = [
  [/SQLITE_FULL|database or disk is full|ENOSPC|EDQUOT/, { kind: 'machine.disk_full' }],
  [/SQLITE_(CORRUPT|NOTADB)|disk image is malformed|is not a database/, { kind: 'machine.database_damaged' }],
  [/SQLITE_(READONLY|CANTOPEN)|readonly database|EROFS/, { kind: 'machine.disk_unwritable' }],
  // The edge's own database and objects, by the list of errors of the platform's documentation: what is asked again later
  // is answered. Also all that is heard of a database whose disk is full, but for the first request.
  [/caused object to be reset|reset because its code was updated/, { kind: 'machine.database_silent' }],
  [/^\s*(D1_ERROR: )?internal error; reference = /, { kind: 'machine.database_silent' }],
  [/D1_ERROR: Network connection lost|Replica disconnected from primary/, { kind: 'machine.database_silent' }],
  [/D1 DB is overloaded|Cannot resolve D1 DB/, { kind: 'machine.database_silent' }],
]

/** An error may be wrapped by the driver, the mapper and a call between objects. */
const causesMax = 6

export function storageReasonOf(cause: unknown): Reason | undefined {
  let error = cause
  for (let depth = 0; depth < causesMax && error instanceof Error; depth += 1) {
    const text = `${'code' in error ? String(error.code) : ''} ${error.message}`
    const found = marks.find(([mark]) => mark.test(withoutParameters(text)))
    if (found !== undefined) return found[1]
    error = error.cause
  }
  return undefined
}

/** A failed query names its parameters, which anybody may have written. */
function withoutParameters(text: string): string {
  return text.replace(/\nparams:[\s\S]*$/, '')
}
