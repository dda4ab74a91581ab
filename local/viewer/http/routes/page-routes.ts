import type { Pages } from '../../ports.ts'

/** A built page file; a path without an extension is a screen of the one page. */
export function pageResponse(pages: Pages, pathname: string): Response {
  const name = pathname.slice(1)
  const hasExtension = /\.[^/]*$/.test(name)
  const found = pages.read(name === '' || !hasExtension ? 'index.html' : name)
  if (found.ok) {
    return new Response(found.value.bytes, {
      headers: {
        'Content-Type': found.value.contentType,
        'Content-Length': String(found.value.bytes.length),
        'Cache-Control': found.value.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
      },
    })
  }
  const text =
    found.failure === 'not-built' && !hasExtension
      ? 'The pages of the viewer are not in this build. The API answers under /api.\n'
      : 'not found\n'
  const isMissingBuild = found.failure === 'not-built' && !hasExtension
  return new Response(text, {
    status: isMissingBuild ? 503 : 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}
