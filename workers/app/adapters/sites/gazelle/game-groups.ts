/** Torrents as the fork for games lists them: groups by their numbers, and in each its torrents by theirs. */
import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'
import type { SearchHit } from '../../../core/site.ts'
import { toldCount, toldSize } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { isSet, joined, textOf, timeOf } from './torrent-groups.ts'

/** Undefined for what is no list of torrents. What is empty is written as a list without numbers. */
export function gameHitsOf(response: unknown, utcOffsetMinutes: number): SearchHit[] | undefined {
  const groups = valuesOf(response)?.filter(isRecord)
  if (groups === undefined) return undefined
  let listed = 0
  const hits = groups.flatMap((group) => {
    const torrents = (valuesOf(group['Torrents']) ?? []).filter(isRecord)
    listed += torrents.length
    return torrents.flatMap((torrent) => toHit(group, torrent, utcOffsetMinutes))
  })
  if (hits.length === 0 && listed > 0) return undefined
  // Numbers as names lose the order in which they were written.
  return hits.sort((one, other) => (other.uploadedAtUnix ?? 0) - (one.uploadedAtUnix ?? 0))
}

const categoryNames: Readonly<Record<string, string>> = {
  '1': 'Games',
  '2': 'Applications',
  '3': 'E-Books',
  '4': 'OST',
}

function toHit(group: JsonRecord, torrent: JsonRecord, utcOffsetMinutes: number): SearchHit[] {
  const { ID: id, ReleaseTitle: title } = torrent
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof title !== 'string' || title === '') return []
  const year = [torrent['RemasterYear'], group['Year']].map(String).find((one) => /^[1-9][0-9]{3}$/.test(one))
  const isExtra = torrent['Miscellaneous'] === 'GameDOX'
  const edition = [
    isExtra ? '' : year,
    isExtra ? torrent['GameDOXType'] : torrent['RemasterTitle'],
    ...['Language', 'Region', 'Format', 'Encoding', 'Miscellaneous'].map((field) => torrent[field]),
  ]
  return [
    {
      torrentId: String(id),
      title: textOf(title),
      subtitle: textOf(joined(edition, ' / ')) || undefined,
      sizeBytes: toldSize(torrent['Size']),
      seeders: toldCount(torrent['Seeders']),
      leechers: toldCount(torrent['Leechers']),
      snatched: toldCount(torrent['Snatched']),
      uploadedAtUnix: timeOf(torrent['Time'], utcOffsetMinutes),
      category: platformOf(group) ?? categoryNames[String(torrent['CategoryID'])],
      tags: [],
      discount: discountOf(torrent),
      hasHr: false,
    },
  ]
}

/** The second kind counts neither way, which is free to who downloads. Undefined for one that is not known. */
function discountOf(torrent: JsonRecord): Discount | undefined {
  const kind = String(torrent['FreeTorrent'])
  if (/^[12]$/.test(kind) || isSet(torrent['LowSeedFL']) || isSet(torrent['PersonalFL'])) return 'FREE'
  return kind === '0' ? 'NONE' : undefined
}

/** What a game runs on stands where the software has artists. */
function platformOf({ Artists: artists }: JsonRecord): string | undefined {
  const [first] = Array.isArray(artists) ? artists : []
  return isRecord(first) ? textOf(first['name'] ?? first['Name']) || undefined : undefined
}

function valuesOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isRecord(value) ? Object.values(value) : undefined
}
