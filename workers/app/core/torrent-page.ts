/**
 * Where a site shows one torrent to a person. The address leaves the service, so it holds nothing but the torrent's own
 * number, or is one that the site gave and that carries no key.
 */
import { isSecret } from './redact.ts'
import type { SearchHit, SiteTarget } from './site.ts'

/** Below the address of the site. */
const pageOfNumber: Partial<Record<SiteTarget['kind'], (id: string) => string>> = {
  nexusphp: (id) => `details.php?id=${id}`,
  unit3d: (id) => `torrents/${id}`,
  gazelle: (id) => `torrents.php?torrentid=${id}`,
  mteam: (id) => `detail/${id}`,
}

export function torrentPage(
  { kind, baseUrl }: Pick<SiteTarget, 'kind' | 'baseUrl'>,
  { torrentId, pageUrl }: Pick<SearchHit, 'torrentId' | 'pageUrl'>,
): string | undefined {
  if (pageUrl !== undefined) return pageUrl
  const page = pageOfNumber[kind]
  if (page === undefined || !/^[0-9]{1,18}$/.test(torrentId)) return undefined
  return `${kind === 'mteam' ? pagesOfInterface(baseUrl) : baseUrl}/${page(torrentId)}`
}

/** That site answers programs at `api.` and people at `kp.` of the same name. */
function pagesOfInterface(baseUrl: string): string {
  const { protocol, host } = new URL(baseUrl)
  return `${protocol}//${host.replace(/^api\./, 'kp.')}`
}

/** An address that a site gives for people; undefined where it may open the owner's account, or is no page. */
export function shownPage(written: string, secrets: readonly string[], charactersMax: number): string | undefined {
  const parsed = URL.canParse(written) ? new URL(written) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || written.length > charactersMax) return undefined
  const parameters = [...parsed.searchParams]
  const texts = [decoded(parsed.pathname), ...parameters.flat()]
  const isTelling =
    parsed.username !== '' ||
    parsed.password !== '' ||
    parameters.some(([name]) => isSecret(name)) ||
    texts.some((text) => keyLike.test(text)) ||
    secrets.some((secret) => secret !== '' && texts.some((text) => text.includes(secret)))
  if (isTelling) return undefined
  parsed.hash = ''
  return parsed.href
}

/** A run that nobody would write as a word: keys are hexadecimal, or letters and digits without a gap. */
const keyLike = /[0-9a-f]{24,}|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{24,}/i

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
