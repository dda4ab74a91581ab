/**
 * What is on for the whole site, as the software announces it on top of every page: a green notice with the promotion in
 * brackets and the time it is on. Rows then show that promotion without an end of their own. One that is yet to come is blue.
 */
import type { SearchHit } from '../../../core/site.ts'
import { readTime } from '../../../core/site-numbers.ts'
import { siteTopCharactersMax } from '../../../limits.ts'
import { discountByName } from './torrent-row.ts'

const green = 'background: green'
const time = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
/** After the colour: where it leads, the promotion, and its end, before which its begin may stand. */
const notice = new RegExp(
  `^[^>]{0,80}>\\s{0,8}<b><a href="[a-z_]{1,32}\\.php"[^>]{0,40}><font color="white">[^<[]{0,40}\\[([^\\]<]{1,12})\\][^<[]{0,40}(?:<br ?/?>)?[^<[0-9]{0,24}(?:${time} ~ )?(${time})<`,
)

export function withSitePromotion(text: string, hits: SearchHit[], utcOffsetMinutes: number): SearchHit[] {
  const at = text.slice(0, siteTopCharactersMax).indexOf(green)
  if (at === -1) return hits
  const [, name, end] = notice.exec(text.slice(at + green.length, at + green.length + 600)) ?? []
  const discount = name === undefined ? undefined : discountByName.get(name.trim().toLowerCase())
  const endAtUnix = end === undefined ? undefined : readTime(end, utcOffsetMinutes)
  if (discount === undefined || endAtUnix === undefined) return hits
  return hits.map((hit) =>
    hit.discount === discount && hit.discountEndAtUnix === undefined ? { ...hit, discountEndAtUnix: endAtUnix } : hit,
  )
}
