/** Channels in which a site says what is new, one line a torrent, before any list or feed has it. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from '../reason/reason.ts'
import { readSize } from '../site-numbers.ts'
import type { Discount } from '../vocabulary.ts'
import { type FeedEntry, torrentIdIn } from './feed-entry.ts'

export const signIns = ['none', 'sasl', 'nickserv'] as const

/** What is heard, and how a line is read. Data: another site's habit is another line, and no code. */
export interface Announces {
  readonly channel: string
  /** Who is believed, in any case. */
  readonly announcers: readonly string[]
  /** As a line is written, with names in braces for what differs: `New: {title} | {size} | {link}`. */
  readonly line: string
  readonly sign_in: (typeof signIns)[number]
  /** SHA-256 of the server's certificate, for one that signed itself; left out: a known authority vouches for it. */
  readonly certificate?: string | undefined
}

/** As a feed keeps it: with what opens the channel, sealed. */
export interface StoredAnnounces extends Announces {
  readonly sealed_enter?: string
}

const announceParts = ['title', 'category', 'size', 'id', 'link', 'free', 'any'] as const
type AnnouncePart = (typeof announceParts)[number]

type Piece = { readonly text: string } | { readonly part: AnnouncePart }

/** Undefined for a line that names no title, or neither number nor link, or has two names side by side. */
export function readAnnounceLine(line: string): readonly Piece[] | undefined {
  const pieces: Piece[] = []
  for (const written of line.split(/(\{[a-z]{1,20}\})/)) {
    if (written === '') continue
    const name = written.startsWith('{') && written.endsWith('}') ? written.slice(1, -1) : undefined
    const part = announceParts.find((one) => one === name)
    if (name !== undefined && part === undefined) return undefined
    const last = pieces.at(-1)
    if (part !== undefined && last !== undefined && 'part' in last) return undefined
    pieces.push(part === undefined ? { text: written } : { part })
  }
  const has = (wanted: AnnouncePart) => pieces.some((piece) => 'part' in piece && piece.part === wanted)
  return has('title') && (has('id') || has('link')) ? pieces : undefined
}

/** What was said in a channel, without colours and other marks of clients. */
export function plainLine(said: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the marks.
  const marks = /\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9a-f]{6})?|[\x00-\x1f\x7f]/gi
  return said.replace(marks, '').trim()
}

/** Each text is looked for once, after the one before: time grows with the line and no faster. */
function partsOf(pieces: readonly Piece[], said: string): ReadonlyMap<AnnouncePart, string> | undefined {
  const found = new Map<AnnouncePart, string>()
  let open: AnnouncePart | undefined
  let at = 0
  for (const piece of pieces) {
    if ('part' in piece) {
      open = piece.part
      continue
    }
    const next = open === undefined ? (said.startsWith(piece.text, at) ? at : -1) : said.indexOf(piece.text, at)
    if (next < 0) return undefined
    if (open !== undefined) found.set(open, said.slice(at, next).trim())
    open = undefined
    at = next + piece.text.length
  }
  if (open !== undefined) found.set(open, said.slice(at).trim())
  return found
}

export interface AnnouncedEntry extends FeedEntry {
  /** Only where the line has a place for it: the site's own word, and not its title's. */
  readonly promotion?: Discount
}

/** Undefined for what is no announce: greetings, and lines of another kind. Texts are cut at `charactersMax`. */
export function readAnnounce(line: string, said: string, charactersMax: number): AnnouncedEntry | undefined {
  const pieces = readAnnounceLine(line)
  const parts = pieces === undefined ? undefined : partsOf(pieces, plainLine(said))
  if (parts === undefined) return undefined
  const title = (parts.get('title') ?? '').slice(0, charactersMax)
  const id = /^[0-9]{1,20}$/.exec(parts.get('id') ?? '')?.[0]
  const torrentId = id ?? torrentIdIn(/https?:\/\/\S{1,2000}/.exec(parts.get('link') ?? '')?.[0] ?? '')
  if (title === '' || torrentId === undefined) return undefined
  const sizeBytes = readSize(parts.get('size') ?? '')
  const category = parts.get('category')?.slice(0, charactersMax)
  const free = parts.get('free')
  return {
    torrentId,
    title,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(category === undefined || category === '' ? {} : { category }),
    ...(free === undefined ? {} : { promotion: freeWords.test(free) ? 'FREE' : 'NONE' }),
  }
}

const freeWords = /^[[(]?(?:free ?leech|free|yes|100(?: ?%)?|免费)[!\])]?$/i

/** What an address of a server is like. */
export const likeServer: Reason = { kind: 'rule.one_of', values: ['ircs://name:password@server:6697'] }

/** `ircs://nick:password@host:port`; a failure repeats nothing of it. */
export function parseAnnounceAddress(text: string): Result<string, Reason> {
  if (!URL.canParse(text)) return failWith({ kind: 'address.incomplete' })
  const url = new URL(text)
  if (url.protocol !== 'ircs:' && url.protocol !== 'irc:') return failWith(likeServer)
  if (url.hostname === '' || url.username === '') return failWith(likeServer)
  return succeed(`${url.protocol}//${url.username}${url.password === '' ? '' : `:${url.password}`}@${url.host}`)
}
