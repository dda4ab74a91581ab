/** What there is to know of one torrent beside its parts. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireTorrent, WireTorrentDetails } from '../../contract/torrents.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, percentText, ratioText, speedAmount } from '../model/amounts.ts'
import { Figure, Moment } from './figure.tsx'
import { Speed, State, TimeLeft } from './torrent-table.tsx'

/** What the head and the figures of its page do not say. */
export function Facts({ torrent, details }: { torrent: WireTorrent; details: WireTorrentDetails | undefined }) {
  return <Rows rows={restOf(torrent, details)} />
}

/** All there is to say, where nothing else is shown of it. */
export function AllFacts({ torrent, details }: { torrent: WireTorrent; details: WireTorrentDetails | undefined }) {
  const text = words.value.torrents
  const more = words.value.torrent
  return (
    <Rows
      rows={[
        [text.downloader, torrent.downloader],
        [text.columns.state, <State key="state" torrent={torrent} pending={undefined} />],
        torrent.condition_said === undefined ? undefined : [more.said, torrent.condition_said],
        [text.columns.progress, `${percentText(torrent.progress)}\u00a0%`],
        [text.columns.size, <Figure key="size" amount={bytesAmount(torrent.size)} />],
        [text.columns.ratio, ratioText(torrent.ratio)],
        [text.columns.seeds, `${torrent.seeds} / ${torrent.peers}`],
        [text.columns.upload_speed, <Speed key="up" value={torrent.upload_speed} />],
        [text.columns.download_speed, <Speed key="down" value={torrent.download_speed} />],
        [text.columns.eta, <TimeLeft key="eta" torrent={torrent} />],
        torrent.category ? [text.category, torrent.category] : undefined,
        torrent.tags ? [text.tags, torrent.tags] : undefined,
        ...restOf(torrent, details),
      ]}
    />
  )
}

type FactRow = readonly [string, ComponentChildren] | undefined

function restOf(torrent: WireTorrent, details: WireTorrentDetails | undefined): readonly FactRow[] {
  const text = words.value.torrents
  const more = words.value.torrent
  const { upload_limit = 0, download_limit = 0 } = details ?? {}
  return [
    details === undefined || details.pieces === 0
      ? undefined
      : [
          more.pieces,
          <>
            <PieceMap key="map" shares={details.piece_map} />
            {more.piecesOf(grouped(details.pieces), joined(bytesAmount(details.piece_size)))}
          </>,
        ],
    details?.availability === undefined || details.pieces === 0
      ? undefined
      : [
          more.toBeHad,
          details.availability < 1
            ? more.someOf(grouped(Math.floor(details.availability * details.pieces)), grouped(details.pieces))
            : more.copies(details.availability.toFixed(2)),
        ],
    torrent.tracker ? [more.tracker, torrent.tracker] : undefined,
    torrent.save_path
      ? [
          text.path,
          <span key="path" class="mono">
            {torrent.save_path}
          </span>,
        ]
      : undefined,
    upload_limit === 0 && download_limit === 0
      ? undefined
      : [more.limits, <Limits key="limits" up={upload_limit} down={download_limit} />],
    [text.columns.added_at, <Moment key="added" seconds={torrent.added_at} />],
    [text.columns.completed_at, <Moment key="completed" seconds={torrent.completed_at} />],
    details?.private === undefined ? undefined : [more.kind, details.private ? more.isPrivate : more.isPublic],
    details === undefined || details.comment === '' ? undefined : [more.comment, details.comment],
    [
      text.hash,
      <span key="hash" class="mono">
        {torrent.info_hash}
      </span>,
    ],
  ]
}

/** Bytes a second; 0 for none. */
function Limits(props: { up: number; down: number }) {
  const shown = [
    ['up', props.up],
    ['down', props.down],
  ] as const
  return (
    <>
      {shown.map(([icon, limit]) =>
        limit === 0 ? null : (
          <span key={icon}>
            <Icon name={icon} small /> <Figure amount={speedAmount(limit)} />{' '}
          </span>
        ),
      )}
    </>
  )
}

function Rows({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl class="kv">
      {rows.map((row) =>
        row === undefined ? null : (
          <>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </>
        ),
      )}
    </dl>
  )
}

/** Along the torrent; a share of which only some is here is fainter. What is whole needs none. */
function PieceMap({ shares }: { shares: readonly number[] }) {
  if (shares.every((share) => share === 100)) return null
  return (
    <svg
      class="meter"
      viewBox={`0 0 ${shares.length} 4`}
      preserveAspectRatio="none"
      shape-rendering="crispEdges"
      aria-hidden="true"
    >
      <rect class="tr" width={shares.length} height="4" />
      {shares.map((share, at) =>
        share === 0 ? null : <rect key={at} class="f" x={at} width="1" height="4" opacity={share / 100} />,
      )}
    </svg>
  )
}
