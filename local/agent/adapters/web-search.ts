/** Asks the service that the owner's configuration names. Its key goes to its address alone. */
import { readBytes } from '#shared/http/strict-json-body.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { readHits, searchRequest, type WebHit, type WebSearchSettings } from '../core/web-search.ts'
import { webSearchBytesMax, webSearchMsMax } from '../limits.ts'
import type { WebSearchFault } from '../runtime/tools/websearch-tool.ts'

export function createWebSearch(fetchIt: typeof fetch) {
  return async (
    settings: WebSearchSettings,
    words: string,
    count: number,
    signal: AbortSignal,
  ): Promise<Result<readonly WebHit[], WebSearchFault>> => {
    const request = searchRequest(settings, words, count)
    if (request === undefined) return failWith({ kind: 'no_address' })
    const over = AbortSignal.any([signal, AbortSignal.timeout(webSearchMsMax)])
    try {
      // Elsewhere a redirect would take the key along.
      const response = await fetchIt(request.url, { headers: request.headers, redirect: 'manual', signal: over })
      const bytes = await readBytes(response.body, webSearchBytesMax)
      if (!bytes.ok) return failWith({ kind: 'unreadable' })
      if (!response.ok) return failWith({ kind: 'status', status: response.status })
      const hits = readHits(settings.kind, JSON.parse(new TextDecoder().decode(bytes.value)), count)
      return hits === undefined ? failWith({ kind: 'unreadable' }) : succeed(hits)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (over.aborted) return failWith({ kind: 'slow' })
      if (error instanceof SyntaxError) return failWith({ kind: 'unreadable' })
      return failWith({ kind: 'unreachable' })
    }
  }
}
