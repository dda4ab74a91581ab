/** Takes a feed (RSS with the attributes of Torznab, or Atom) apart in one pass, without a tree: what its items say, and nothing below. */
import { Parser } from 'htmlparser2'
import { siteHitsMax, torrentFileBytesMax } from '../../limits.ts'
import { checkOpenTags, parseToEnd } from '../sites/markup.ts'

export interface FeedItem {
  /** Of the item's own elements, the first of each name. */
  readonly texts: ReadonlyMap<string, string>
  /** `torznab:attr` and its elder, by name in lower case; the last of a name counts. */
  readonly attributes: ReadonlyMap<string, string>
  /** Its length is in bytes, and is that of the torrent's content. */
  readonly enclosure?: { readonly url: string | undefined; readonly length: string | undefined }
}

export interface Feed {
  readonly error?: { readonly code: string; readonly description: string }
  readonly isFeed: boolean
  readonly items: readonly FeedItem[]
}

interface OpenItem {
  readonly texts: Map<string, string>
  readonly attributes: Map<string, string>
  enclosure?: NonNullable<FeedItem['enclosure']>
}

export function readFeed(text: string): Feed {
  let error: Feed['error']
  let isFeed = false
  const items: FeedItem[] = []
  let depth = 0
  let item: OpenItem | undefined
  let itemDepth = 0
  let field: string | undefined
  let value = ''
  const parser = new Parser(
    {
      onopentag(name, attribs) {
        depth += 1
        checkOpenTags(depth)
        if (name === 'error') error ??= { code: attribs['code'] ?? '', description: attribs['description'] ?? '' }
        else if (name === 'channel' || (name === 'feed' && depth === 1)) isFeed = true
        if (item === undefined) {
          if ((name !== 'item' && name !== 'entry') || items.length === siteHitsMax) return
          item = { texts: new Map(), attributes: new Map() }
          itemDepth = depth
        } else if (depth === itemDepth + 1) {
          field = name
          value = ''
          if (name === 'torznab:attr' || name === 'newznab:attr')
            item.attributes.set((attribs['name'] ?? '').toLowerCase(), attribs['value'] ?? '')
          // As Atom writes an address.
          else if (name === 'link' && attribs['href'] !== undefined) item.texts.set('link', attribs['href'])
          else if (name === 'enclosure') item.enclosure ??= { url: attribs['url'], length: attribs['length'] }
        }
      },
      ontext(data) {
        if (field !== undefined) value += data
      },
      onclosetag() {
        if (item !== undefined && depth === itemDepth) {
          items.push(item)
          item = undefined
        } else if (item !== undefined && field !== undefined && depth === itemDepth + 1) {
          if (!item.texts.has(field)) item.texts.set(field, value)
          field = undefined
        }
        depth -= 1
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  if (!parseToEnd(parser, text)) return { isFeed: false, items: [] }
  return {
    ...(error === undefined ? {} : { error }),
    isFeed,
    items: areOfContents(items) ? items : items.map(unmeasured),
  }
}

/**
 * RSS has the length of the file that is enclosed, and some software writes just that: the size of the torrent file. All of
 * a feed are written by one program, so that one which is too large for a torrent file tells what the others are.
 */
const areOfContents = (items: readonly FeedItem[]) =>
  items.some(({ enclosure }) => Number(enclosure?.length) > torrentFileBytesMax)

const unmeasured = ({ enclosure, ...item }: FeedItem): FeedItem =>
  enclosure === undefined ? item : { ...item, enclosure: { url: enclosure.url, length: undefined } }

/** When a feed says that something was published, in Unix seconds. Undefined without a zone: whose clock it was is not known. */
export function publishedAt(text: string): number | undefined {
  const atMs = hasZone.test(text) ? Date.parse(text) : Number.NaN
  return atMs > 0 ? Math.floor(atMs / 1000) : undefined
}

const hasZone = /[0-9]\s{0,3}(?:Z|UTC?|GMT|[ECMP][SD]T|[+-][0-9]{2}:?[0-9]{2})(?:\s{0,3}\([^)]{0,40}\))?\s{0,20}$/i
