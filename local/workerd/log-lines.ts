/** What the runtime and the Worker print, made safe for a terminal and free of this machine's secrets. */
import { logLineCharactersMax } from './limits.ts'

/** One line for one message: control characters are escaped, so that no text can forge a line or move the cursor. */
export function toLogLine(message: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const escaped = hidden.trimEnd().replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escapeCharacter)
  return escaped.length <= logLineCharactersMax ? escaped : `${escaped.slice(0, logLineCharactersMax)} [cut]`
}

/** Something of the host itself went wrong: as the script's own lines are. */
export function faultLine(event: string, cause: unknown, facts: Readonly<Record<string, string>> = {}): string {
  const why = cause instanceof Error ? cause.stack : String(cause)
  return JSON.stringify({ time: new Date().toISOString(), level: 'error', event, ...facts, cause: why })
}

/** What the runtime notes for its own makers at every start and after every pause: nothing that an owner could act on. */
const notesOfRuntime = /^NOSENTRY (?:per-isolate bootstrap compile cache|SQLite alarm (?:overdue|handler canceled))/

export function isForOwner(message: string): boolean {
  return !notesOfRuntime.test(message)
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
