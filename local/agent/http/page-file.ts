import { fileResponse, type Pages, pagePolicy, textResponse } from '../../pages/pages.ts'

/** The page at `/` and the files it is made of; undefined for every other address, which stays what it was. */
export function pageFile(pages: Pages | undefined, method: string, pathname: string): Response | undefined {
  if (pages === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
  const found = pages.read(pathname === '/' ? 'index.html' : pathname.slice(1))
  if (!found.ok) {
    if (pathname !== '/') return undefined
    return textResponse(503, 'The page of the agent server is not in this build. Its routes answer all the same.\n')
  }
  const response = fileResponse(found.value)
  response.headers.set('Content-Security-Policy', pagePolicy)
  return response
}
