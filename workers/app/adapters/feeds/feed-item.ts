/**
 * What an item of a site's feed says about a torrent. Feeds carry the owner's key in every link: of those only the number
 * of the torrent is read, and nothing of a link is kept.
 *
 * Shapes: xiaomlove/nexusphp `public/torrentrss.php` at a514ed5 (link `details.php?id=`, enclosure `download.php?id=…`
 * with length, guid = info hash); HDInnovations/UNIT3D `resources/views/rss/show.blade.php` at 44a3aea (link
 * `/torrents/download/ID.KEY` or `/torrent/download/ID.KEY`, `contentlength`, guid = number); Gazelle's `feeds.php`
 * (link `torrents.php?action=download&…&id=`); M-Team (link `/detail/ID`).
 */
import { type FeedEntry, plainNumber, torrentIdIn } from '../../core/feeds/feed-entry.ts'
import { feedTextCharactersMax } from '../../limits.ts'
import { publishedAt } from './read-feed.ts'

/** An item as the reader of feeds hands it over. */
export interface RawFeedItem {
  readonly texts: ReadonlyMap<string, string>
  readonly enclosure?: { readonly url: string | undefined; readonly length: string | undefined }
}

/** Undefined for an item that names no torrent: news, polls, and what else stands in feeds. */
export function readFeedItem(item: RawFeedItem): FeedEntry | undefined {
  const text = (name: string) => (item.texts.get(name) ?? '').trim()
  const addresses = [text('link'), text('comments'), item.enclosure?.url ?? '', text('guid')]
  const torrentId = addresses.map(torrentIdIn).find((id) => id !== undefined) ?? plainNumber(text('guid'))
  const title = text('title')
    .replace(/\s{1,100}/g, ' ')
    .slice(0, feedTextCharactersMax)
  if (torrentId === undefined || title === '') return undefined
  const sizeBytes =
    wholeNumber(text('size')) ?? wholeNumber(text('contentlength')) ?? wholeNumber(item.enclosure?.length)
  const uploadedAtUnix = publishedAt(text('pubDate'))
  const category = text('category').slice(0, feedTextCharactersMax)
  return {
    torrentId,
    title,
    // Several sites write 0 or 1 where they do not know.
    ...(sizeBytes === undefined || sizeBytes < 2 ? {} : { sizeBytes }),
    ...(uploadedAtUnix === undefined ? {} : { uploadedAtUnix }),
    ...(category === '' ? {} : { category }),
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = /^\s{0,20}([0-9]{1,15})\s{0,20}$/.exec(text ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}
