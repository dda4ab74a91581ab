/** The list of torrents as events: first a part of it whole, then what changes in it. */
import type { WireDownloader } from '../contract/downloaders.ts'
import type { WireTorrentGroups } from '../contract/torrents.ts'
import { changesOf, type Row } from '../core/row-changes.ts'
import { torrentStreamEveryMs, torrentStreamGroupsMs, torrentStreamMs, torrentStreamQuietMs } from '../limits.ts'
import type { TorrentList } from './torrent-list.ts'

interface Followed {
  readonly readList: () => Promise<TorrentList>
  readonly readDownloaders: () => Promise<readonly WireDownloader[]>
  readonly readGroups: () => Promise<WireTorrentGroups>
  /** The place of the first row of the part. */
  readonly from: number
  readonly nowMs: () => number
  readonly wait: (ms: number, left: AbortSignal) => Promise<void>
  /** Fires when nobody listens any more. */
  readonly left: AbortSignal
}

const keyOf = (row: Row) => `${row['downloader_id']}/${row['task_id']}`
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** One event after another, as text. Looks at the list again and again, and says nothing where nothing changed. */
export async function* followTorrents(followed: Followed): AsyncGenerator<string, void> {
  const { nowMs, left, from } = followed
  const untilMs = nowMs() + torrentStreamMs
  let saidAtMs = nowMs()
  let before: TorrentList | undefined
  let fleetBefore = ''
  let groupsBefore = ''
  let groupsAtMs = Number.NEGATIVE_INFINITY
  yield 'retry: 1000\n\n'
  while (!left.aborted && nowMs() < untilMs) {
    const [list, items] = await Promise.all([followed.readList(), followed.readDownloaders()])
    const fleet = event('downloaders', { items })
    const told = before === undefined ? event('list', { from, ...list }) : changeOf(before, list)
    // They are counted over everything there is, and nobody looks at them as closely as at rows.
    const areDue = nowMs() - groupsAtMs >= torrentStreamGroupsMs
    const groups = areDue ? event('groups', await followed.readGroups()) : groupsBefore
    const said = told + (fleet === fleetBefore ? '' : fleet) + (groups === groupsBefore ? '' : groups)
    before = list
    fleetBefore = fleet
    groupsBefore = groups
    if (areDue) groupsAtMs = nowMs()
    if (said !== '' || nowMs() - saidAtMs >= torrentStreamQuietMs) {
      saidAtMs = nowMs()
      // A comment, so that whoever is in between does not take the line for dead.
      yield said === '' ? ':\n\n' : said
    }
    await followed.wait(torrentStreamEveryMs, left)
  }
}

function changeOf(before: TorrentList, now: TorrentList): string {
  const { items: rowsBefore, ...factsBefore } = before
  const { items: rowsNow, ...facts } = now
  const old = factsBefore as Readonly<Record<string, unknown>>
  const changed = Object.entries(facts).filter(([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value))
  const rows = changesOf(rowsBefore, rowsNow, keyOf)
  if (changed.length === 0 && rows === undefined) return ''
  return event('change', { ...Object.fromEntries(changed), ...(rows === undefined ? {} : { items: rows }) })
}
