/** webfetch: a page of the public internet as text. */
import { z } from '@hono/zod-openapi'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import type { Result } from '#shared/kernel/result.ts'
import { webFetchMsLongest } from '../../limits.ts'
import { declareTool, type Tool, toolProblem } from '../tool-port.ts'
import type { OutputKeeper } from './output-keeper.ts'
import { pageText } from './page-text.ts'

export interface FetchedPage {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

interface OfHost {
  readonly host: string
}
const sentences = {
  scheme: 'Only http and https addresses are fetched',
  credentials: 'An address with credentials is not fetched',
  unresolved: ({ host }: OfHost) => `${host} cannot be resolved`,
  not_public: ({ host }: OfHost) => `${host} is not a public address`,
  nowhere: 'The page redirects to nowhere',
  redirects: 'The page redirects too often',
  slow: 'The page took too long',
  unreachable: 'The page cannot be reached',
}

export type WebFault = FaultOf<typeof sentences>
const sayWebFault = sayBy(sentences)

/** `msMax` stands for the usual time limit. */
export type WebFetch = (address: string, signal: AbortSignal, msMax?: number) => Promise<Result<FetchedPage, WebFault>>

export function webTool(webFetch: WebFetch, keeper: OutputKeeper): Tool {
  return declareTool({
    name: 'webfetch',
    description:
      'Fetches a page of the public internet. format text (default) gives its readable text, markdown keeps headings and links, html gives the page as it is.',
    input: z.object({
      url: z.string().min(1).max(4_000),
      format: z.enum(['text', 'markdown', 'html']).optional(),
      timeout: z.number().int().min(1).max(webFetchMsLongest).optional().describe('Milliseconds'),
    }),
    isReadOnly: true,
    isForeign: true,
    async run(input, call) {
      const permitted = await call.permit({
        action: 'webfetch',
        resources: [{ text: input.url }],
        save: [originOf(input.url)],
      })
      if (!permitted.ok) return permitted
      const fetched = await webFetch(input.url, call.signal, input.timeout)
      call.signal.throwIfAborted()
      if (!fetched.ok) return toolProblem(sayWebFault(fetched.failure))
      const { url, status, contentType, bytes, isCut } = fetched.value
      if (status >= 400) return toolProblem(`The page answered with status ${status}`)
      if (!/^(?:text\/|application\/(?:json|xml|xhtml\+xml|javascript))/i.test(contentType)) {
        return toolProblem(`The page is ${contentType === '' ? 'of no known type' : contentType}, which is not text`)
      }
      const raw = new TextDecoder('utf-8').decode(bytes)
      const isPage = /^(?:text\/html|application\/xhtml)/i.test(contentType)
      const text = isPage && input.format !== 'html' ? await pageText(raw, input.format ?? 'text') : raw
      const shown = isCut ? `${text}\n(cut: the page is longer)` : text
      return keeper.text(shown, { url, status, contentType }, call.outputLimits)
    },
  })
}

function originOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? address : `${url.origin}/*`
}
