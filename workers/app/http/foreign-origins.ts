/**
 * Pages of origins that the owner names may use the App API with a token of its own. Never with a cookie: what a browser
 * sends along by itself is taken off before anything looks at the request, and no answer allows credentials.
 */
import { publicOrigin } from './public-origin.ts'

/** What a client of the App API sends and reads beyond what browsers allow by themselves. */
const requestHeaders = 'authorization, content-type, if-none-match, accept-language, x-request-id'
const answerHeaders = 'etag, retry-after, x-request-id'
const methods = 'GET, HEAD, POST, PUT, DELETE'
const preflightSeconds = 600

type Serve = (request: Request) => Response | Promise<Response>

export function shareWithOrigins(
  { apiOrigins, publicOrigins }: { readonly apiOrigins: readonly string[]; readonly publicOrigins: readonly string[] },
  serve: Serve,
): Serve {
  if (apiOrigins.length === 0) return serve
  return async (request) => {
    const origin = request.headers.get('origin')
    // A page of ours is at home here, whatever is named: its cookie counts.
    const isForeign = origin !== null && origin !== publicOrigin(request, publicOrigins)
    if (!isForeign || !apiOrigins.includes(origin)) return withHeaders(await serve(request), {})
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method'))
      return new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': requestHeaders,
          'access-control-max-age': String(preflightSeconds),
          'cache-control': 'no-store',
          vary: 'origin',
        },
      })
    return withHeaders(await serve(withoutCookies(request)), {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': answerHeaders,
    })
  }
}

function withoutCookies(request: Request): Request {
  if (!request.headers.has('cookie')) return request
  const headers = new Headers(request.headers)
  headers.delete('cookie')
  return new Request(request, { headers })
}

/** With names given, an answer to one origin is no answer to another, for whoever keeps it on the way. */
function withHeaders(answer: Response, added: Readonly<Record<string, string>>): Response {
  const shared = new Response(answer.body, answer)
  for (const [name, value] of Object.entries(added)) shared.headers.set(name, value)
  shared.headers.append('vary', 'origin')
  return shared
}
