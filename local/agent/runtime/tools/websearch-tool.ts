/** websearch: where something is said on the web, by the service that the owner named. */
import { z } from '@hono/zod-openapi'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { WebHit, WebSearchSettings } from '../../core/web-search.ts'
import { webSearchHitsMax, webSearchWordsMax } from '../../limits.ts'
import { declareTool, type Tool, toolProblem } from '../tool-port.ts'
import type { OutputKeeper } from './output-keeper.ts'

const sentences = {
  no_address: 'The search service has no address: set "url" of "web_search"',
  status: ({ status }: { readonly status: number }) =>
    status === 401 || status === 403
      ? `The search service refused the key (${status}); see "web_search"`
      : status === 429
        ? 'The search service takes no more searches for now (429)'
        : `The search service answered with status ${status}`,
  unreadable: 'The search service answered with something else than results',
  slow: 'The search service took too long',
  unreachable: 'The search service cannot be reached',
}
export type WebSearchFault = FaultOf<typeof sentences>
const sayWebSearchFault = sayBy(sentences)

export type WebSearch = (
  settings: WebSearchSettings,
  words: string,
  count: number,
  signal: AbortSignal,
) => Promise<Result<readonly WebHit[], WebSearchFault>>

/** Only offered where a service is named. */
export const webSearchToolName = 'websearch'

export function webSearchTool(search: WebSearch, keeper: OutputKeeper): Tool {
  return declareTool({
    name: webSearchToolName,
    description:
      'Searches the web: titles, addresses and what is said there. Read a page with webfetch before you rely on it.',
    input: z.object({
      query: z.string().min(1).max(webSearchWordsMax),
      count: z.number().int().min(1).max(webSearchHitsMax).optional(),
    }),
    isReadOnly: true,
    isForeign: true,
    async run({ query, count }, call) {
      const permitted = await call.permit({ action: webSearchToolName, resources: [{ text: query }], save: ['*'] })
      if (!permitted.ok) return permitted
      if (call.webSearch === undefined) return toolProblem('No search service is configured')
      const found = await search(call.webSearch, query, count ?? webSearchHitsMax, call.signal)
      if (!found.ok) return toolProblem(sayWebSearchFault(found.failure))
      const text = found.value.map(({ title, url, text: said }) => `${title}\n${url}\n${said}`).join('\n\n')
      const sources = found.value.map(({ title, url }) => ({ title, url }))
      return keeper.text(
        text === '' ? 'Nothing was found' : text,
        { sources, count: sources.length },
        call.outputLimits,
      )
    },
  })
}
