/** The rows of the torrent list, what they say while an action on them is under way, and their details. */

import type { ComponentChildren } from 'preact'
import type { IconName } from '#shared/pages/icon.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import type { TorrentCondition } from '../../core/vocabulary.ts'
import type { TorrentAction } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, percentText, ratioText, speedAmount, timeLeft } from '../model/amounts.ts'
import { type SortColumn, type TorrentQuery, type TorrentState, torrentKey } from '../model/torrent-query.ts'
import type { TorrentView, ViewColumn } from '../model/torrent-view.ts'
import { Figure, Meter, Moment } from './figure.tsx'
import { StateMark } from './state-mark.tsx'
import { type Column, type DrawnPart, type Picking, Table } from './table.tsx'
import { Name } from './torrent-name.tsx'

const marks: Record<TorrentState, readonly [IconName, string]> = {
  downloading: ['m-part', 'acc'],
  seeding: ['m-on', 'good'],
  paused: ['m-off', 'faint'],
  stopped: ['m-off', 'faint'],
  queued: ['m-guess', 'faint'],
  checking: ['m-guess', 'acc'],
  error: ['m-bad', 'bad'],
}

const conditionMarks: Record<TorrentCondition, readonly [IconName, string]> = {
  local_error: ['m-bad', 'bad'],
  missing_files: ['m-bad', 'bad'],
  tracker_error: ['m-warn', 'warn'],
  tracker_warning: ['m-warn', 'warn'],
  no_peers: ['m-guess', 'warn'],
  stalled: ['m-guess', 'warn'],
  metadata: ['m-guess', 'acc'],
  moving: ['m-guess', 'acc'],
}

export function State({ torrent, pending }: { torrent: WireTorrent; pending: TorrentAction | undefined }) {
  const text = words.value.torrents
  const { condition } = torrent
  const [mark, tone, word] =
    pending !== undefined
      ? (['m-guess', 'acc', text.pending[pending]] as const)
      : condition === undefined
        ? ([...marks[torrent.state], text.states[torrent.state]] as const)
        : ([
            ...conditionMarks[condition],
            // One that seeds does so all the same: the other word is in the title, and read out.
            torrent.state === 'seeding' ? text.states.seeding : words.value.torrent.conditions[condition],
          ] as const)
  const beside =
    condition !== undefined && torrent.state === 'seeding' ? words.value.torrent.conditions[condition] : undefined
  return (
    <span
      title={
        pending === undefined ? [beside, torrent.condition_said].filter(Boolean).join(': ') || undefined : undefined
      }
    >
      <StateMark mark={mark} tone={tone}>
        {word}
        {beside === undefined || pending !== undefined ? null : <span class="vh">{`, ${beside}`}</span>}
      </StateMark>
    </span>
  )
}

function Progress({ torrent }: { torrent: WireTorrent }) {
  if (torrent.progress >= 100) return <span class="faint num">{'100\u00a0%'}</span>
  const tone = torrent.state === 'error' ? 'b' : torrent.state === 'downloading' ? 'f' : 'o'
  return (
    <span class="prog">
      <Meter percent={torrent.progress} tone={tone} />
      <span class="num">{`${percentText(torrent.progress)}\u00a0%`}</span>
    </span>
  )
}

export function Speed({ value }: { value: number }) {
  return value > 0 ? <Figure amount={speedAmount(value)} /> : <span class="faint">—</span>
}

export function TimeLeft({ torrent }: { torrent: WireTorrent }) {
  const left = timeLeft(torrent.eta)
  if (left === undefined) return <span class="faint">—</span>
  return <>{words.value.timeLeft[left.unit](left.value)}</>
}

function tagsOf(torrent: WireTorrent): string[] {
  return (torrent.tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
    .slice(0, 4)
}

function LateMark({ seconds }: { seconds: number | undefined }) {
  if (seconds === undefined) return null
  return (
    <>
      {' · '}
      {words.value.torrents.lateAt} <Moment seconds={seconds} />
    </>
  )
}

export interface TorrentTableProps {
  readonly torrents: readonly (WireTorrent | undefined)[]
  readonly drawn: DrawnPart
  readonly view: TorrentView
  readonly query: TorrentQuery
  /** Downloaders that keep still, and when each answered last, Unix seconds. */
  readonly late: ReadonlyMap<number, number>
  readonly isPicked: (torrent: WireTorrent) => boolean
  readonly beyond: NonNullable<Picking<WireTorrent>['beyond']>
  readonly pending: ReadonlyMap<string, TorrentAction>
  readonly busy: boolean
  readonly onSort: (column: SortColumn) => void
  readonly onSelect: (torrents: readonly WireTorrent[], on: boolean) => void
  readonly onOpen: (torrent: WireTorrent) => void
  readonly onMenu: (torrent: WireTorrent, event: MouseEvent) => void
}

export function TorrentTable(props: TorrentTableProps) {
  const { isPicked } = props
  const text = words.value.torrents
  const pendingOf = (torrent: WireTorrent) => props.pending.get(torrentKey(torrent))
  const column = (
    sort: SortColumn,
    look: { th?: string; td: string },
    cell: (torrent: WireTorrent) => ComponentChildren,
  ): Column<WireTorrent, SortColumn> => ({ head: text.columns[sort], sort, cell, ...look })
  const columns: Readonly<Record<ViewColumn, Column<WireTorrent, SortColumn>>> = {
    state: column('state', { td: 'st-c' }, (torrent) => <State torrent={torrent} pending={pendingOf(torrent)} />),
    progress: {
      ...column('progress', { td: '' }, (torrent) => <Progress torrent={torrent} />),
      td: ({ progress }) => (progress < 100 ? 'pg busy' : 'pg'),
    },
    size: column('size', { th: 'num', td: 'num sz' }, ({ size }) => <Figure amount={bytesAmount(size)} />),
    ratio: column('ratio', { th: 'num mid', td: 'num wide-only mid' }, ({ ratio }) => ratioText(ratio)),
    seeds: column(
      'seeds',
      { th: 'num mid', td: 'num wide-only muted mid' },
      ({ seeds, peers }) => `${seeds} / ${peers}`,
    ),
    upload_speed: column('upload_speed', { th: 'num', td: 'num sp' }, (torrent) => (
      <Speed value={torrent.upload_speed} />
    )),
    download_speed: column('download_speed', { th: 'num', td: 'num sp' }, (torrent) => (
      <Speed value={torrent.download_speed} />
    )),
    eta: column('eta', { th: 'num mid', td: 'num wide-only mid' }, (torrent) => <TimeLeft torrent={torrent} />),
    added_at: column('added_at', { th: 'num mid', td: 'num wide-only muted mid' }, (torrent) => (
      <Moment seconds={torrent.added_at} />
    )),
    completed_at: column('completed_at', { th: 'num mid', td: 'num wide-only muted mid' }, (torrent) => (
      <Moment seconds={torrent.completed_at} />
    )),
  }
  return (
    <Table
      class={props.view.rows === 'one' ? 'torrents dense' : 'torrents'}
      rows={props.torrents}
      drawn={props.drawn}
      keyOf={torrentKey}
      cellsFrom={[
        props.view,
        props.pending,
        words.value,
        [...props.late].join(),
        // Of moments that are told by how long ago they were.
        Math.floor(Date.now() / 60_000),
      ]}
      isBusy={props.busy}
      sorting={{ ...props.query, onSort: props.onSort }}
      picking={{
        allLabel: text.selectAll,
        labelOf: ({ title }) => text.select(title),
        isPicked,
        onPick: props.onSelect,
        beyond: props.beyond,
      }}
      onMenu={props.onMenu}
      lookOf={(torrent) => ({
        class: isPicked(torrent) ? 'chosen' : props.late.has(torrent.downloader_id) ? 'late' : undefined,
        'aria-busy': pendingOf(torrent) === undefined ? undefined : 'true',
      })}
      columns={[
        column('title', { td: 'name' }, (torrent) => (
          <>
            <button class="row-open" type="button" title={torrent.title} onClick={() => props.onOpen(torrent)}>
              <Name name={torrent.title} />
            </button>
            <span class="sub">
              <span class="faint cut">
                {[torrent.downloader, torrent.category ?? ''].filter((part) => part !== '').join(' · ')}
                <LateMark seconds={props.late.get(torrent.downloader_id)} />
              </span>
              {tagsOf(torrent).map((tag) => (
                <span class="tag" key={tag}>
                  {tag}
                </span>
              ))}
            </span>
          </>
        )),
        ...props.view.columns.map((name) => columns[name]),
      ]}
    />
  )
}
