/**
 * What the App API and the settings are, to anybody who asks: it says nothing that the source of the service does not. It
 * lies among the pages, made when they are built, so that the script carries none of it.
 */
import { basePathAt } from '../core/base-path.ts'
import { failure } from '../core/failure.ts'
import { sayFor } from '../core/reason/say.ts'
import type { AppDeps } from '../ports.ts'
import { renderFailure } from './render-failure.ts'

/** Below the family's prefix. */
export const interfaceDocumentPath = '/openapi.json'

const headers = {
  'cache-control': 'no-cache',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
} as const

export function serveInterfaceDocument(
  deps: Pick<AppDeps, 'basedAt' | 'interfaceDocument' | 'logger'>,
  which: 'app' | 'settings',
): (request: Request) => Promise<Response> {
  return async (request) => {
    const say = sayFor(request.headers)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refused = failure('method_not_allowed', { kind: 'method', allowed: ['GET', 'HEAD'] })
      return renderFailure(refused, say, { allow: 'GET, HEAD' })
    }
    const found = await deps.interfaceDocument(which, request.headers.get('if-none-match') ?? undefined)
    if (found === undefined) {
      // The pages were not built, or not all of them: the service lives without.
      deps.logger.error('interface_document_missing', {})
      return renderFailure(failure('not_found', { kind: 'none', what: 'address' }), say)
    }
    const etag = found.etag === undefined ? {} : { etag: found.etag }
    if (found.body === undefined) return new Response(null, { status: 304, headers: { ...headers, ...etag } })
    const base = basePathAt(request.url, deps.basedAt)
    const body = base === '' ? found.body : await below(base, found.body)
    return new Response(request.method === 'HEAD' ? null : body, { headers: { ...headers, ...etag } })
  }
}

/** It names one server, by its path. */
async function below(base: string, document: ReadableStream): Promise<string> {
  return (await new Response(document).text()).replace('"url":"/api/', `"url":"${base}/api/`)
}
