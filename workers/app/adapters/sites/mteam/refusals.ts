import type { SiteFault } from '../../../core/site-fault.ts'

interface KnownRefusal {
  /** Of the envelope; undefined for one whose code says nothing. */
  readonly code?: string
  /** Part of the message. */
  readonly says?: readonly string[]
  readonly fault: SiteFault
}

/**
 * What the site answers instead of code 0. Rights have a code of their own, that of HTTP; whatever the site's own rules
 * refuse has code 1, and only the message tells one from another. Messages as users of the site recorded them: a wrong
 * key in 2025-09, too many requests in 2024-06, missing credentials as its framework words them. Simplified forms stand
 * beside the site's own traditional ones, since it has a setting for that.
 */
const knownRefusals: readonly KnownRefusal[] = [
  { code: '401', fault: { kind: 'login_expired' } },
  { code: '429', fault: { kind: 'rate_limited' } },
  { says: ['key無效', 'key无效', 'Full authentication is required'], fault: { kind: 'login_expired' } },
  { says: ['請求過於頻繁', '请求过于频繁', 'too frequent'], fault: { kind: 'rate_limited' } },
]

/** What is not known is a refusal, whatever it says. */
export function refusalOf(code: string, message: string): SiteFault {
  const said = message.toLowerCase()
  const known = knownRefusals.find(
    (refusal) => refusal.code === code || refusal.says?.some((words) => said.includes(words.toLowerCase())) === true,
  )
  return known?.fault ?? { kind: 'refused' }
}
