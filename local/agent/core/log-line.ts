/** One line of the server's log: JSON that no value can break out of, of bounded length and without secrets. */

/** What a terminal obeys although JSON leaves it as it is: the second set of control characters, and marks of direction. */
const obeyed = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

export interface LogEntry {
  readonly time: string
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** `bytesMax` has room for more than time and event. What does not fit is cut with a mark, and the line is still JSON. */
export function toLogLine({ time, event, fields }: LogEntry, secrets: readonly string[], bytesMax: number): string {
  const head = { time, level: 'error', event }
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text)
  const written = write(fields, hide)
  const whole = toSafeJson({ ...head, ...written })
  if (utf8Length(whole) <= bytesMax) return whole
  const text = JSON.stringify(written)
  for (let length = bytesMax; length > 0; length = Math.floor(length / 2)) {
    const line = toSafeJson({ ...head, cut: `${text.slice(0, length)}…` })
    if (utf8Length(line) <= bytesMax) return line
  }
  return toSafeJson(head)
}

function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The fields as plain JSON. A value that has none must not keep the event from being told. */
function write(fields: Readonly<Record<string, unknown>>, hide: (text: string) => string): Record<string, unknown> {
  const hidden = (_key: string, value: unknown) => {
    if (typeof value === 'string') return hide(value)
    if (typeof value === 'bigint') return String(value)
    return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value
  }
  try {
    return JSON.parse(JSON.stringify(fields, hidden)) as Record<string, unknown>
  } catch {
    return { fields: 'cannot be written' }
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).byteLength
}

/** Values that a variable's name says are secret. One that is shorter would blank ordinary words out of the log. */
export function secretsIn(environment: Readonly<Record<string, string>>, charactersMin: number): string[] {
  return Object.entries(environment)
    .filter(([name, value]) => /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) && value.length >= charactersMin)
    .map(([, value]) => value)
}
