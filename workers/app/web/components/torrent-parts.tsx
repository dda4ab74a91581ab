/** The parts of what is shown of one torrent, in its panel and on its page. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import type { WireTorrent, WireTorrentDetails } from '../../contract/torrents.ts'
import { pushCategoryCharactersMax, pushTagsCharactersMax, savePathBytesMax } from '../../limits.ts'
import type { TorrentChange } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, percentText, ratioText, speedAmount } from '../model/amounts.ts'
import { useForm } from '../use-form.ts'
import { SelectField, TextField } from './field.tsx'
import { Figure, Moment } from './figure.tsx'
import { areLimits, LimitFields, limitsOf, typedLimit } from './limit-fields.tsx'
import { StateMark } from './state-mark.tsx'
import { Speed, State, TimeLeft } from './torrent-table.tsx'

export function Facts({ torrent, details }: { torrent: WireTorrent; details: WireTorrentDetails | undefined }) {
  const text = words.value.torrents
  const more = words.value.torrent
  const rows: readonly (readonly [string, ComponentChildren] | undefined)[] = [
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
    [text.columns.added_at, <Moment key="added" seconds={torrent.added_at} />],
    [text.columns.completed_at, <Moment key="completed" seconds={torrent.completed_at} />],
    torrent.category ? [text.category, torrent.category] : undefined,
    torrent.tags ? [text.tags, torrent.tags] : undefined,
    torrent.save_path
      ? [
          text.path,
          <span key="path" class="mono">
            {torrent.save_path}
          </span>,
        ]
      : undefined,
    [
      text.hash,
      <span key="hash" class="mono">
        {torrent.info_hash}
      </span>,
    ],
    details?.private === undefined ? undefined : [more.kind, details.private ? more.isPrivate : more.isPublic],
    details === undefined || details.pieces === 0
      ? undefined
      : [
          more.pieces,
          <>
            {more.piecesOf(grouped(details.pieces), joined(bytesAmount(details.piece_size)))}
            <PieceMap key="map" shares={details.piece_map} />
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
    details === undefined || details.comment === '' ? undefined : [more.comment, details.comment],
  ]
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

export function Files(props: {
  files: WireTorrentDetails['files']
  onPriority: (index: number, priority: WireTorrentDetails['files'][number]['priority']) => void
}) {
  const text = words.value.torrent
  if (props.files.length === 0) return <p class="faint">{text.noFiles}</p>
  return (
    <ul class="rows small files">
      {props.files.map((file) => (
        <li key={file.index}>
          <span class="grow">
            <span class="t brk">{file.path}</span>
            <span class="s">
              <Figure amount={bytesAmount(file.size)} /> {`${percentText(file.progress)}\u00a0%`}
            </span>
          </span>
          <select
            class="input of-row"
            aria-label={text.priorityOf(file.path)}
            value={file.priority}
            onChange={(event) => props.onPriority(file.index, event.currentTarget.value as typeof file.priority)}
          >
            {(['skip', 'low', 'normal', 'high'] as const).map((one) => (
              <option key={one} value={one}>
                {text.priorities[one]}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  )
}

const trackerMarks: Readonly<Record<WireTorrentDetails['trackers'][number]['state'], readonly [IconName, string]>> = {
  working: ['m-on', 'good'],
  updating: ['m-guess', 'acc'],
  waiting: ['m-guess', 'faint'],
  error: ['m-bad', 'bad'],
  off: ['m-off', 'faint'],
}

export function Trackers({ trackers }: { trackers: WireTorrentDetails['trackers'] }) {
  const text = words.value.torrent
  if (trackers.length === 0) return <p class="faint">{text.noTrackers}</p>
  return (
    <ul class="rows small">
      {trackers.map((tracker) => {
        const [mark, tone] = trackerMarks[tracker.state]
        return (
          <li key={tracker.host}>
            <span class="grow">
              <span class="t mono brk">{tracker.host}</span>
              {tracker.said === undefined ? null : <span class="s brk">{tracker.said}</span>}
            </span>
            {tracker.seeds === undefined && tracker.peers === undefined ? null : (
              <span class="faint num">{`${tracker.seeds ?? '—'} / ${tracker.peers ?? '—'}`}</span>
            )}
            <StateMark mark={mark} tone={tone}>
              {text.trackerStates[tracker.state]}
            </StateMark>
          </li>
        )
      })}
    </ul>
  )
}

export function Peers({ peers }: { peers: WireTorrentDetails['peers'] }) {
  const text = words.value.torrent
  if (peers.length === 0) return <p class="faint">{text.noPeers}</p>
  return (
    <ul class="rows small">
      {peers.map((peer) => (
        <li key={peer.address}>
          <span class="grow">
            <span class="t mono brk">{peer.address}</span>
            <span class="s">{peer.client}</span>
          </span>
          <span class="num">{`${percentText(peer.progress)}\u00a0%`}</span>
          <span class="num faint">
            <Icon name="up" small /> {joined(speedAmount(peer.upload_speed))} <Icon name="down" small />{' '}
            {joined(speedAmount(peer.download_speed))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Each part is sent by itself: what was not touched is not written. */
export function Changes(props: {
  torrent: WireTorrent
  details: WireTorrentDetails | undefined
  categories: readonly string[]
  onChange: (change: TorrentChange) => Promise<boolean>
}) {
  const { torrent, details } = props
  const text = words.value.torrent
  const stored = {
    category: torrent.category ?? '',
    tags: torrent.tags ?? '',
    path: torrent.save_path ?? '',
    upload: typedLimit(details?.upload_limit),
    download: typedLimit(details?.download_limit),
  }
  const form = useForm(stored, { asks: false })
  const { category, tags, path, upload, download } = form.values
  const isRight = areLimits(form.values) && path.trim() !== ''
  const changes: TorrentChange[] = [
    ...(category.trim() === stored.category ? [] : [{ kind: 'category', category: category.trim() } as const]),
    ...(tags.trim() === stored.tags ? [] : [{ kind: 'tags', tags: tags.trim() } as const]),
    ...(path.trim() === stored.path ? [] : [{ kind: 'move', save_path: path.trim() } as const]),
    ...(upload.trim() === stored.upload && download.trim() === stored.download
      ? []
      : [{ kind: 'limits', ...limitsOf(form.values) } as const]),
  ]
  return (
    <form
      class="su-form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        void form.run('change', isRight, async () => {
          for (const change of changes) if (!(await props.onChange(change))) return
        })
      }}
    >
      <div class="two-f">
        <TextField
          label={words.value.torrents.category}
          {...form.typed('category')}
          maxLength={pushCategoryCharactersMax}
          choices={props.categories}
        />
        <TextField label={words.value.torrents.tags} {...form.typed('tags')} maxLength={pushTagsCharactersMax} />
      </div>
      <TextField
        label={text.folder}
        {...form.typed('path')}
        maxLength={savePathBytesMax}
        hint={text.folderHint}
        error={form.wrong(path.trim() === '', text.folderNeeded)}
      />
      <LimitFields form={form} />
      <div class="btns">
        <button class="btn" type="submit" aria-disabled={form.busy === undefined ? undefined : 'true'}>
          {text.change}
        </button>
        <SelectField
          label={text.queue}
          value=""
          options={[
            { value: '', label: text.queueStays },
            ...(['top', 'up', 'down', 'bottom'] as const).map((place) => ({ value: place, label: text.places[place] })),
          ]}
          onChoose={(place) => {
            const chosen = (['top', 'up', 'down', 'bottom'] as const).find((one) => one === place)
            if (chosen !== undefined) void props.onChange({ kind: 'queue', place: chosen })
          }}
        />
      </div>
    </form>
  )
}
