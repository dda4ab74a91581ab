import { fileResponse, type Pages, textResponse } from '../../../pages/pages.ts'

/** A built page file; a path without an extension is a screen of the one page. */
export function pageResponse(pages: Pages, pathname: string): Response {
  const name = pathname.slice(1)
  const hasExtension = /\.[^/]*$/.test(name)
  const found = pages.read(name === '' || !hasExtension ? 'index.html' : name)
  if (found.ok) return fileResponse(found.value)
  return found.failure === 'not-built' && !hasExtension
    ? textResponse(503, 'The pages of the viewer are not in this build. The API answers under /api.\n')
    : textResponse(404, 'not found\n')
}
