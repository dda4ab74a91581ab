import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isPublicName } from '../core/public-name.ts'
import type { SiteFault } from '../core/site-fault.ts'
import { siteRedirectsMax, torrentFetchMs, torrentFileBytesMax } from '../limits.ts'
import { readBytes, redirectStatuses } from './outside-answer.ts'

/**
 * What stands at an address that a caller names: the bytes of an answer, or the magnet link it leads to. Every step has
 * to have a public name, so that nobody reaches this network through it; where the name leads is for `fetch` to judge.
 */
export async function fetchTorrent(
  fetch: (address: string, init: RequestInit) => Promise<Response>,
  address: string,
): Promise<Result<Uint8Array | string, SiteFault | 'not_public'>> {
  const signal = AbortSignal.timeout(torrentFetchMs)
  let next = address
  for (let redirects = 0; redirects <= siteRedirectsMax; redirects += 1) {
    if (redirects > 0 && /^magnet:/i.test(next)) return succeed(next)
    const url = URL.canParse(next) ? new URL(next) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      return redirects === 0 ? failWith('not_public') : failWith<SiteFault>({ kind: 'redirected' })
    if (!isPublicName(url.hostname))
      return redirects === 0 ? failWith('not_public') : failWith<SiteFault>({ kind: 'redirected' })
    try {
      const response = await fetch(url.href, {
        redirect: 'manual',
        signal,
        headers: { accept: 'application/x-bittorrent, */*;q=0.1', 'user-agent': 'wharf' },
      })
      const location = response.headers.get('location')
      if (redirectStatuses.has(response.status) && location !== null) {
        await response.body?.cancel()
        next = /^magnet:/i.test(location) || !URL.canParse(location, url.href) ? location : new URL(location, url).href
        continue
      }
      if (!response.ok) {
        await response.body?.cancel()
        return failWith<SiteFault>({ kind: 'status', status: response.status })
      }
      const bytes = await readBytes(response, torrentFileBytesMax, signal)
      return bytes === undefined ? failWith<SiteFault>({ kind: 'too_large' }) : succeed(bytes)
    } catch {
      return failWith<SiteFault>({ kind: signal.aborted ? 'timeout' : 'unreachable' })
    }
  }
  return failWith<SiteFault>({ kind: 'redirected' })
}
