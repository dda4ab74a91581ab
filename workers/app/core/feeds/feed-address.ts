import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from '../reason/reason.ts'

/** The address of a feed as the owner pasted it. A failure repeats nothing of it: it holds a key. */
export function parseFeedAddress(text: string): Result<string, Reason> {
  if (!URL.canParse(text)) return failWith({ kind: 'address.incomplete' })
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failWith({ kind: 'address.scheme' })
  if (url.username !== '' || url.password !== '') return failWith({ kind: 'address.user' })
  url.hash = ''
  return succeed(url.href)
}
