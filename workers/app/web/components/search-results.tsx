import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireFoundTorrent, WireQuality } from '../../contract/console-search.ts'
import { toldFigure } from '../../core/search-figures.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, wholeLeft } from '../model/amounts.ts'
import type { PushResult } from '../model/push.ts'
import { resultKey, type SearchQuery, type SearchSort } from '../model/search-query.ts'
import { Figure, Moment } from './figure.tsx'
import { type Column, Table } from './table.tsx'
import { Name } from './torrent-name.tsx'

/** What of a download counts, and until when. */
export function Discount({ item }: { item: WireFoundTorrent }) {
  const text = words.value.search
  const { discount } = item
  if (discount === undefined) return <span class="faint">{text.unknown}</span>
  if (discount === 'NONE') return <span class="faint">—</span>
  const seconds = item.discount_end_at === undefined ? 0 : item.discount_end_at - Date.now() / 1000
  const { unit, value } = wholeLeft(seconds)
  return (
    <>
      <span class={item.free ? 'tag on' : 'tag warn'}>{text.discounts[discount]}</span>
      {item.discount_end === 'unknown' ? <span class="faint tiny"> {text.endUnknown}</span> : null}
      {seconds <= 0 ? null : <span class="faint tiny"> {text.left[unit](value)}</span>}
    </>
  )
}

/** The torrent where its site shows it, in a window of its own. */
export function SitePageLink({ item, label }: { item: WireFoundTorrent; label: string }) {
  if (item.page === undefined) return label
  return (
    <a class="link" href={item.page} target="_blank" rel="noreferrer" title={words.value.search.pageOn(label)}>
      {label}
      <span class="vh"> {words.value.search.pageOf(item.title)}</span>
    </a>
  )
}

const codecNames = {
  h264: 'H.264',
  h265: 'H.265',
  av1: 'AV1',
  vp9: 'VP9',
  vc1: 'VC-1',
  mpeg2: 'MPEG-2',
  xvid: 'Xvid',
} as const satisfies Record<NonNullable<WireQuality['codec']>, string>

/** What the title says of picture and origin; a dash where it says nothing. */
export function Quality({ of: { resolution, source, codec, hdr, dolby_vision } }: { of: WireQuality }) {
  const origin = [source && words.value.profiles.sourceNames[source], codec && codecNames[codec]].filter(
    (one) => one !== undefined,
  )
  if (resolution === undefined && origin.length === 0 && !hdr && !dolby_vision) return <span class="faint">—</span>
  return (
    <>
      {resolution === undefined ? null : <span>{resolution}</span>}
      {hdr || dolby_vision ? <span class="tag">{dolby_vision ? 'DV' : 'HDR'}</span> : null}
      {origin.length === 0 ? null : <span class="faint small">{origin.join(' ')}</span>}
    </>
  )
}

export function SearchResults(props: {
  items: readonly WireFoundTorrent[]
  query: SearchQuery
  labels: ReadonlyMap<string, string>
  selected: ReadonlyMap<string, WireFoundTorrent>
  open: string | undefined
  pushed: readonly PushResult[]
  onSort: (sort: SearchSort) => void
  onSelect: (items: readonly WireFoundTorrent[], on: boolean) => void
  onOpen: (item: WireFoundTorrent) => void
}) {
  const { selected } = props
  const text = words.value.search
  const done = new Map(props.pushed.map((one) => [one.key, one.outcome]))
  const column = (
    sort: SearchSort,
    look: { th?: string; td: string },
    cell: (item: WireFoundTorrent) => ComponentChildren,
  ): Column<WireFoundTorrent, SearchSort> => ({ head: text.columns[sort], sort, cell, ...look })
  return (
    <Table
      class="results"
      rows={props.items}
      keyOf={resultKey}
      sorting={{ ...props.query, onSort: props.onSort }}
      picking={{
        allLabel: words.value.torrents.selectAll,
        labelOf: ({ title }) => words.value.torrents.select(title),
        isPicked: (item) => selected.has(resultKey(item)),
        onPick: props.onSelect,
      }}
      lookOf={(item) => ({
        class: selected.has(resultKey(item)) || props.open === resultKey(item) ? 'chosen' : undefined,
      })}
      columns={[
        column('title', { td: 'name' }, (item) => (
          <>
            <button class="row-open" type="button" title={item.title} onClick={() => props.onOpen(item)}>
              <Name name={item.title} />
            </button>
            <span class="sub">
              <span class="faint cut">{item.subtitle ?? ''}</span>
              {(item.tags ?? []).slice(0, 3).map((tag) => (
                <span class="tag" key={tag}>
                  {tag}
                </span>
              ))}
              <OutcomeTag outcome={done.get(resultKey(item))} />
            </span>
          </>
        )),
        column('site', { td: 'nowrap site' }, (item) => (
          <>
            <SitePageLink item={item} label={props.labels.get(item.site) ?? item.site} />
            {item.has_hr ? <span class="tag warn">H&amp;R</span> : null}
          </>
        )),
        column('quality', { td: 'nowrap quality' }, ({ quality }) => <Quality of={quality} />),
        { head: text.discount, td: 'nowrap disc', cell: (item) => <Discount item={item} /> },
        column('size', { th: 'num', td: 'num' }, (item) => {
          const size = toldFigure(item, 'size')
          return size === undefined ? '—' : <Figure amount={bytesAmount(size)} />
        }),
        column('seeders', { th: 'num', td: 'num sd' }, (item) => (
          <>
            <span class="phone-only faint">
              <Icon name="up" small />
              <span class="vh">{text.columns.seeders}</span>{' '}
            </span>
            {countOr(toldFigure(item, 'seeders'))}
          </>
        )),
        column('leechers', { th: 'num mid', td: 'num wide-only mid muted' }, (item) =>
          countOr(toldFigure(item, 'leechers')),
        ),
        column('snatched', { th: 'num mid', td: 'num wide-only mid muted' }, ({ snatched }) => countOr(snatched)),
        column('uploaded_at', { th: 'num', td: 'num muted up' }, (item) => <Moment seconds={item.uploaded_at} />),
      ]}
    />
  )
}

function countOr(count: number | undefined): string {
  return count === undefined ? '—' : grouped(count)
}

function OutcomeTag({ outcome }: { outcome: PushResult['outcome'] | undefined }) {
  if (outcome === undefined) return null
  const isWell = outcome === 'pushed' || outcome === 'skipped'
  return <span class={isWell ? 'tag on' : 'tag bad'}>{words.value.search.outcomes[outcome]}</span>
}
