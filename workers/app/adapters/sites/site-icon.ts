import type { SiteTarget } from '../../core/site.ts'
import { iconBytesMax } from '../../limits.ts'
import type { Picture } from '../../ports/catalogue.ts'
import { pictureOf } from '../picture.ts'
import { descendants, parseMarkup } from './markup.ts'
import type { SiteRuntime } from './site-driver.ts'
import { SiteHttp } from './site-http.ts'

/** The icon browsers show for the site: at its usual place, or where its first page says. Asked for without credentials. */
export async function fetchIcon(
  { kind, baseUrl, profile }: SiteTarget,
  proxy: string | undefined,
  runtime: SiteRuntime,
  signal: AbortSignal,
): Promise<Picture | undefined> {
  const credentials = { cookie: '', apiKey: '', ...(proxy === undefined ? {} : { proxy }) }
  const http = new SiteHttp({ kind, baseUrl, profile, credentials }, runtime)
  const usual = await readIcon(http, 'favicon.ico', signal)
  if (usual !== undefined) return usual
  const page = await http.text({ path: '' }, signal)
  if (!page.ok) return undefined
  const link = descendants(parseMarkup(page.value.text)).find(
    ({ name, attribs }) => name === 'link' && /\bicon\b/i.test(attribs['rel'] ?? '') && attribs['href'] !== undefined,
  )
  const href = link?.attribs['href']
  if (href === undefined || !URL.canParse(href, page.value.url.href)) return undefined
  return readIcon(http, new URL(href, page.value.url).href, signal)
}

async function readIcon(http: SiteHttp, path: string, signal: AbortSignal): Promise<Picture | undefined> {
  const answer = await http.call({ path, bytesMax: iconBytesMax }, signal)
  return answer.ok ? pictureOf(answer.value.bytes) : undefined
}
