/** Reads the descriptions of what programs may call from among the pages. */
import type { InterfaceDocument } from '../ports/operating.ts'

/** Where the build of the pages puts them. */
const addresses = {
  app: 'https://pages.invalid/app-api-v1.json',
  settings: 'https://pages.invalid/settings-api-v1.json',
} as const

export function createInterfaceDocument(pages: Pick<Fetcher, 'fetch'> | undefined): InterfaceDocument {
  return async (which, knownEtag) => {
    const answer = await pages?.fetch(
      new Request(addresses[which], knownEtag === undefined ? {} : { headers: { 'if-none-match': knownEtag } }),
    )
    if (answer === undefined) return undefined
    const etag = answer.headers.get('etag') ?? undefined
    if (answer.status === 304) return { etag }
    // For an address that there is none of, the pages answer with themselves.
    const isDocument = answer.ok && (answer.headers.get('content-type') ?? '').startsWith('application/json')
    if (isDocument && answer.body !== null) return { etag, body: answer.body }
    await answer.body?.cancel()
    return undefined
  }
}
