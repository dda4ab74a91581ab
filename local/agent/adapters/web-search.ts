/** Asks the service that the owner's configuration names. Its key goes to its address alone. */
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
      const bytes = await boundedBytes(response)
      if (bytes === undefined) return failWith({ kind: 'unreadable' })
      if (!response.ok) return failWith({ kind: 'status', status: response.status })
      const hits = readHits(settings.kind, JSON.parse(new TextDecoder().decode(bytes)), count)
      return hits === undefined ? failWith({ kind: 'unreadable' }) : succeed(hits)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (over.aborted) return failWith({ kind: 'slow' })
      if (error instanceof SyntaxError) return failWith({ kind: 'unreadable' })
      return failWith({ kind: 'unreachable' })
    }
  }
}

async function boundedBytes(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > webSearchBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
