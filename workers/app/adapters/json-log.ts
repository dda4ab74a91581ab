import { cutTo, redact } from '../core/redact.ts'
import type { Logger } from '../ports/runtime.ts'

/** A log line is cut beyond this; a longer one quotes somebody's page. */
const lineCharactersMax = 8 * 1024

/** JSON lines on the runtime's console. Every value is redacted; control characters are escaped by JSON itself. */
export const jsonLog: Logger = {
  info: (event, facts) => write('info', event, facts),
  error: (event, facts) => write('error', event, facts),
}

function write(level: 'info' | 'error', event: string, facts: Readonly<Record<string, unknown>> = {}): void {
  const line: Record<string, unknown> = { time: new Date().toISOString(), level, event }
  for (const [name, value] of Object.entries(facts)) line[name] = printable(value)
  // biome-ignore lint/suspicious/noConsole: this is the one place that writes the log
  console[level === 'info' ? 'log' : 'error'](cutTo(JSON.stringify(line), lineCharactersMax))
}

function printable(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return value
  if (value instanceof Error) return redact(withoutParameters(describeError(value)))
  return redact(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))
}

function describeError(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own} caused by ${error.cause.name}: ${error.cause.message}` : own
}

/** A failed query names its parameters, which are the owner's data. */
function withoutParameters(text: string): string {
  return text.replace(/\nparams:[^\n]*/g, '')
}
