/** Torrents as Gazelle's `action=browse` has them, in groups. A list has hundreds, and each field is judged where it is used. */
import { decodeHTML } from 'entities'
import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'
import type { SearchHit } from '../../../core/site.ts'
import { plainText, readTime, toldCount, toldSize } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteTagsMax, siteTextCharactersMax } from '../../../limits.ts'

/** Undefined for what is no list of torrents. */
export function listedHitsOf(response: unknown, utcOffsetMinutes: number): SearchHit[] | undefined {
  const results = isRecord(response) ? response['results'] : undefined
  if (!Array.isArray(results)) return undefined
  const hits = results.flatMap((group) => hitsOf(group, utcOffsetMinutes))
  return hits.length === 0 && results.length > 0 ? undefined : hits
}

/** None for what is no group. Where a category has no groups the row is the torrent itself. */
function hitsOf(group: unknown, utcOffsetMinutes: number): SearchHit[] {
  if (!isRecord(group) || typeof group['groupName'] !== 'string') return []
  const { torrents, groupTime } = group
  const rows = torrents == null ? [group] : Array.isArray(torrents) ? torrents.filter(isRecord) : []
  const year = toldCount(group['groupYear']) ?? 0
  const name = joined([group['artist'], group['groupName']], ' - ')
  const shared = {
    title: textOf(year === 0 ? name : `${name} (${year})`),
    category: textOf(group['category']) || undefined,
    tags: (Array.isArray(group['tags']) ? group['tags'] : [])
      .slice(0, siteTagsMax)
      .map(textOf)
      .filter((tag) => tag !== ''),
    hasHr: false,
    imdbId: idIn(group['imdbId'], /^tt[0-9]{5,10}$/),
    doubanId: idIn(group['doubanId'], /^[0-9]{4,12}$/),
  }
  return rows.flatMap((one: JsonRecord) => {
    const { torrentId } = one
    if (typeof torrentId !== 'string' && typeof torrentId !== 'number') return []
    const edition = joined(
      editionFields.map((field) => one[field]),
      ' / ',
    )
    return [
      {
        torrentId: String(torrentId),
        ...shared,
        subtitle: textOf(joined([group['groupSubName'], edition], ' | ')) || undefined,
        sizeBytes: toldSize(one['size']),
        seeders: toldCount(one['seeders']),
        leechers: toldCount(one['leechers']),
        snatched: toldCount(one['snatches']),
        uploadedAtUnix: timeOf(one['time'] ?? groupTime, utcOffsetMinutes),
        discount: discountOf(one),
      },
    ]
  })
}

/** The last five are those of a fork for films. */
const editionFields = ['media', 'format', 'encoding', 'source', 'codec', 'resolution', 'container', 'processing']
const freeFields = ['isFreeleech', 'isNeutralLeech', 'isPersonalFreeleech', 'isFreeload']
/** What that fork lets off by a type: half, and three quarters, for which there is no word here but the one for three tenths. */
const discountByType: Readonly<Record<string, Discount>> = { '12': 'PERCENT_50', '13': 'PERCENT_30' }

/** Undefined where a fork has none of the marks. */
function discountOf(one: JsonRecord): Discount | undefined {
  if (freeFields.some((field) => isSet(one[field]))) return 'FREE'
  if (![...freeFields, 'freeType'].some((field) => one[field] != null)) return undefined
  return discountByType[String(one['freeType'])] ?? 'NONE'
}

/** A fork writes some of its flags as the database holds them. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === '1'
}

/** A time, or its seconds. */
export function timeOf(time: unknown, utcOffsetMinutes: number): number | undefined {
  if (typeof time === 'number') return toldCount(time) || undefined
  if (typeof time !== 'string') return undefined
  return /^[0-9]{9,11}$/.test(time) ? toldCount(time) || undefined : readTime(time, utcOffsetMinutes)
}

/** The software writes its texts for pages, in JSON too. */
export function textOf(text: unknown): string {
  if (typeof text !== 'string') return ''
  return plainText(text.includes('&') ? decodeHTML(text) : text, siteTextCharactersMax)
}

export function joined(parts: readonly unknown[], between: string): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(between)
}

function idIn(value: unknown, pattern: RegExp): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && pattern.test(text) ? text : undefined
}
