/** What a site says of a torrent that is new, and how its number stands in addresses of sites. */
export interface FeedEntry {
  readonly torrentId: string
  readonly title: string
  readonly sizeBytes?: number
  readonly uploadedAtUnix?: number
  readonly category?: string
}

const pathPattern = /\/(?:details?|torrents?)\/(?:download\/)?([0-9]{1,20})(?:[./?#-]|$)/i

export function torrentIdIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { pathname, searchParams } = new URL(address)
  const byPath = pathPattern.exec(pathname)?.[1]
  if (byPath !== undefined) return byPath
  const named = ['torrentid', 'tid', 'id'].map((name) => searchParams.get(name)).find((id) => id !== null)
  return plainNumber(named ?? '')
}

export function plainNumber(text: string): string | undefined {
  return /^[0-9]{1,20}$/.test(text) ? text : undefined
}
