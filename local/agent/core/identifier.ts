/**
 * Identifiers: a prefix that names the kind, 12 hex digits of time and 14 random characters. Ascending ones sort by
 * age; a session's is inverted, so that the newest comes first.
 */
const idPrefixes = {
  session: 'ses_',
  message: 'msg_',
  event: 'evt_',
  permission: 'per_',
  question: 'que_',
  savedRule: 'psv_',
  terminal: 'pty_',
  background: 'bgc_',
  part: 'prt_',
  memory: 'mem_',
  schedule: 'sch_',
} as const
export type IdKind = keyof typeof idPrefixes

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const idRandomBytes = 14
const timeSpan = 2 ** 48
/** Identifiers made within one millisecond, kept in order by a counter. */
const countPerMs = 0x1000

/** `tick` is time in milliseconds times 4096 plus a counter. Only the low 48 bits are kept. */
export function formatId(kind: IdKind, tick: number, random: Uint8Array): string {
  const low = tick % timeSpan
  const time = kind === 'session' ? timeSpan - 1 - low : low
  let tail = ''
  for (let index = 0; index < idRandomBytes; index += 1) tail += alphabet[(random[index] ?? 0) % alphabet.length]
  return `${idPrefixes[kind]}${time.toString(16).padStart(12, '0')}${tail}`
}

/** The next tick: later than every tick before it, also when the clock stands still or jumps back. */
export function nextTick(previous: number, nowMs: number): number {
  return Math.max(previous + 1, nowMs * countPerMs)
}

/** What a caller may send as an identifier of its own. */
export const idPattern = {
  session: /^ses_?[0-9A-Za-z_-]{1,96}$/,
  message: /^msg_[0-9A-Za-z_-]{1,96}$/,
  permission: /^per_?[0-9A-Za-z_-]{1,96}$/,
  question: /^que_?[0-9A-Za-z_-]{1,96}$/,
  terminal: /^pty_?[0-9A-Za-z_-]{1,96}$/,
  background: /^bgc_[0-9A-Za-z_-]{1,96}$/,
  memory: /^mem_[0-9A-Za-z_-]{1,96}$/,
  schedule: /^sch_[0-9A-Za-z_-]{1,96}$/,
} as const
