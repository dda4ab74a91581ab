/** The rows of the torrent list, what they say while an action on them is under way, and their details. */

import { Dialog } from '#shared/pages/dialog.tsx'
import type { IconName } from '#shared/pages/icon.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import type { TorrentAction } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, percentText, ratioText, speedAmount, timeLeft } from '../model/amounts.ts'
import { type SortColumn, type TorrentQuery, type TorrentState, torrentKey } from '../model/torrent-query.ts'
import { Figure, Meter, Moment } from './figure.tsx'
import { SortHeading } from './sort-heading.tsx'
import { StateMark } from './state-mark.tsx'
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

function State({ torrent, pending }: { torrent: WireTorrent; pending: TorrentAction | undefined }) {
  const [mark, tone] = pending === undefined ? marks[torrent.state] : (['m-guess', 'acc'] as const)
  const text = words.value.torrents
  return (
    <StateMark mark={mark} tone={tone}>
      {pending === undefined ? text.states[torrent.state] : text.pending[pending]}
    </StateMark>
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

function Speed({ value }: { value: number }) {
  return value > 0 ? <Figure amount={speedAmount(value)} /> : <span class="faint">—</span>
}

function TimeLeft({ torrent }: { torrent: WireTorrent }) {
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

function Heading(props: {
  column: SortColumn
  query: TorrentQuery
  class?: string
  onSort: (column: SortColumn) => void
}) {
  const { column, query } = props
  return (
    <SortHeading
      {...(props.class === undefined ? {} : { class: props.class })}
      order={query.sort === column ? query.order : undefined}
      onSort={() => props.onSort(column)}
    >
      {words.value.torrents.columns[column]}
    </SortHeading>
  )
}

export interface TorrentTableProps {
  readonly torrents: readonly WireTorrent[]
  readonly query: TorrentQuery
  readonly selected: ReadonlyMap<string, WireTorrent>
  readonly pending: ReadonlyMap<string, TorrentAction>
  readonly busy: boolean
  readonly onSort: (column: SortColumn) => void
  readonly onSelect: (torrents: readonly WireTorrent[], on: boolean) => void
  readonly onOpen: (torrent: WireTorrent) => void
}

export function TorrentTable(props: TorrentTableProps) {
  const { torrents, query, selected } = props
  const text = words.value.torrents
  const all = torrents.length > 0 && torrents.every((torrent) => selected.has(torrentKey(torrent)))
  const heading = { query, onSort: props.onSort }
  return (
    <table class="fold torrents" aria-busy={props.busy ? 'true' : undefined}>
      <thead>
        <tr>
          <th scope="col" class="pick">
            <input
              type="checkbox"
              aria-label={text.selectAll}
              checked={all}
              onChange={(event) => props.onSelect(torrents, event.currentTarget.checked)}
            />
          </th>
          <Heading {...heading} column="title" />
          <Heading {...heading} column="state" />
          <Heading {...heading} column="progress" />
          <Heading {...heading} column="size" class="num" />
          <Heading {...heading} column="ratio" class="num mid" />
          <Heading {...heading} column="seeds" class="num mid" />
          <Heading {...heading} column="upload_speed" class="num" />
          <Heading {...heading} column="download_speed" class="num" />
          <Heading {...heading} column="eta" class="num mid" />
          <Heading {...heading} column="added_at" class="num mid" />
        </tr>
      </thead>
      <tbody>
        {torrents.map((torrent) => {
          const key = torrentKey(torrent)
          const chosen = selected.has(key)
          const pending = props.pending.get(key)
          const place = [torrent.downloader, torrent.category ?? ''].filter((part) => part !== '').join(' · ')
          return (
            <tr key={key} class={chosen ? 'chosen' : undefined} aria-busy={pending === undefined ? undefined : 'true'}>
              <td class="pick">
                <input
                  type="checkbox"
                  aria-label={text.select(torrent.title)}
                  checked={chosen}
                  onChange={(event) => props.onSelect([torrent], event.currentTarget.checked)}
                />
              </td>
              <td class="name">
                <button class="row-open" type="button" title={torrent.title} onClick={() => props.onOpen(torrent)}>
                  <Name name={torrent.title} />
                </button>
                <span class="sub">
                  <span class="faint cut">{place}</span>
                  {tagsOf(torrent).map((tag) => (
                    <span class="tag" key={tag}>
                      {tag}
                    </span>
                  ))}
                </span>
              </td>
              <td class="st-c">
                <State torrent={torrent} pending={pending} />
              </td>
              <td class={torrent.progress < 100 ? 'pg busy' : 'pg'}>
                <Progress torrent={torrent} />
              </td>
              <td class="num">
                <Figure amount={bytesAmount(torrent.size)} />
              </td>
              <td class="num wide-only mid">{ratioText(torrent.ratio)}</td>
              <td class="num wide-only muted mid">{`${torrent.seeds} / ${torrent.peers}`}</td>
              <td class="num sp">
                <Speed value={torrent.upload_speed} />
              </td>
              <td class="num sp">
                <Speed value={torrent.download_speed} />
              </td>
              <td class="num wide-only mid">
                <TimeLeft torrent={torrent} />
              </td>
              <td class="num wide-only muted mid">
                <Moment seconds={torrent.added_at} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

export function TorrentDetails({ torrent, onClose }: { torrent: WireTorrent; onClose: () => void }) {
  const text = words.value.torrents
  return (
    <Dialog title={torrent.title} look="wide" onClose={onClose}>
      <dl class="kv">
        <dt>{text.downloader}</dt>
        <dd>{torrent.downloader}</dd>
        <dt>{text.columns.state}</dt>
        <dd>
          <State torrent={torrent} pending={undefined} />
        </dd>
        <dt>{text.columns.progress}</dt>
        <dd>{`${percentText(torrent.progress)}\u00a0%`}</dd>
        <dt>{text.columns.size}</dt>
        <dd>
          <Figure amount={bytesAmount(torrent.size)} />
        </dd>
        <dt>{text.columns.ratio}</dt>
        <dd>{ratioText(torrent.ratio)}</dd>
        <dt>{text.columns.seeds}</dt>
        <dd>{`${torrent.seeds} / ${torrent.peers}`}</dd>
        <dt>{text.columns.upload_speed}</dt>
        <dd>
          <Speed value={torrent.upload_speed} />
        </dd>
        <dt>{text.columns.download_speed}</dt>
        <dd>
          <Speed value={torrent.download_speed} />
        </dd>
        <dt>{text.columns.eta}</dt>
        <dd>
          <TimeLeft torrent={torrent} />
        </dd>
        <dt>{text.columns.added_at}</dt>
        <dd>
          <Moment seconds={torrent.added_at} />
        </dd>
        <dt>{text.columns.completed_at}</dt>
        <dd>
          <Moment seconds={torrent.completed_at} />
        </dd>
        {torrent.category ? (
          <>
            <dt>{text.category}</dt>
            <dd>{torrent.category}</dd>
          </>
        ) : null}
        {torrent.tags ? (
          <>
            <dt>{text.tags}</dt>
            <dd>{torrent.tags}</dd>
          </>
        ) : null}
        {torrent.save_path ? (
          <>
            <dt>{text.path}</dt>
            <dd class="mono">{torrent.save_path}</dd>
          </>
        ) : null}
        <dt>{text.hash}</dt>
        <dd class="mono">{torrent.info_hash}</dd>
      </dl>
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={onClose}>
          {words.value.common.close}
        </button>
      </div>
    </Dialog>
  )
}
