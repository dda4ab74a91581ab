/** What real daemons answered, call by call, with their folders and passwords taken out (test/fixtures/downloaders). */
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface RecordedCall {
  readonly method: string
  readonly path: string
  /** The body of a write or a remote call. */
  readonly sent?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: string
}

export function recorded(name: string): RecordedCall[] {
  const file = path.join(import.meta.dirname, '../fixtures/downloaders', `${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedCall[]
}
