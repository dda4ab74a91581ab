/** Where other programs search through the service, by a protocol of theirs. */

/** One site's endpoint is below its name; without one all are asked. Programs put `/api` behind it themselves. */
export const torznabPrefix = '/torznab'

export function isTorznabPath(pathname: string): boolean {
  return pathname.startsWith(`${torznabPrefix}/`)
}
