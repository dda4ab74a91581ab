import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { WireDownloader } from '../../contract/downloaders.ts'
import type { WireTorrentPage } from '../../contract/torrents.ts'
import { torrentConditions } from '../../core/vocabulary.ts'
import { fetchDownloaders, fetchTorrentGroups } from '../api/downloaders.ts'
import { Figure, Moment } from '../components/figure.tsx'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { List } from '../components/loaded.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { AddTorrents, useDropped } from '../components/torrent-add.tsx'
import { ChosenGroups, GroupSelects, TorrentGroups } from '../components/torrent-groups.tsx'
import { TorrentMatters } from '../components/torrent-matters.tsx'
import { TorrentPanel } from '../components/torrent-panel.tsx'
import { type AskedOfSelection, DeedReport, SelectionBar } from '../components/torrent-selection.tsx'
import { TorrentTable } from '../components/torrent-table.tsx'
import { ViewDialog } from '../components/torrent-view.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, speedAmount } from '../model/amounts.ts'
import { drawnPlaces } from '../model/row-window.ts'
import {
  countOfMatters,
  everyTorrent,
  filterBody,
  inState,
  isFiltered,
  liveFilters,
  readTorrentQuery,
  sortBy,
  sortColumns,
  type TorrentQuery,
  torrentHash,
  torrentKey,
  torrentStates,
} from '../model/torrent-query.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'
import { groupsShown, showGroups, torrentView } from '../torrent-preferences.ts'
import { useTorrentRows } from '../torrent-rows.ts'
import { torrentTrail } from '../torrent-trail.ts'
import { useRowWindow } from '../use-row-window.ts'
import { useTorrentDeeds } from '../use-torrent-deeds.ts'

const downloadersEveryMs = 5000
const groupsEveryMs = 6000
/** How far one had scrolled in the lists that one may come back to, by their address. */
const placesLeft = new Map<string, number>()
const placesLeftMax = 20

function Speeds({ downloaders }: { downloaders: readonly WireDownloader[] }) {
  const text = words.value.torrents
  const live = downloaders.filter((one) => one.reachable)
  if (live.length === 0) return null
  const sum = (read: (one: WireDownloader) => number) => live.reduce((total, one) => total + Math.max(0, read(one)), 0)
  return (
    <span class="muted nowrap small strip speeds">
      <span title={text.upSpeed}>
        <Icon name="up" small /> <span class="vh">{text.upSpeed}</span>
        <Figure amount={speedAmount(sum((one) => one.upload_speed))} />
      </span>
      <span title={text.downSpeed}>
        <Icon name="down" small /> <span class="vh">{text.downSpeed}</span>
        <Figure amount={speedAmount(sum((one) => one.download_speed))} />
      </span>
    </span>
  )
}

/** Groups have no order. */
function groupFilters(filters: string): string {
  const search = new URLSearchParams(filters)
  search.delete('sort')
  search.delete('order')
  return search.toString()
}

function FreeSpace({ downloaders, place }: { downloaders: readonly WireDownloader[]; place: string }) {
  const known = downloaders.filter((one) => one.reachable && one.free_space >= 0)
  if (known.length === 0) return null
  return (
    <div class={`key free-space ${place}`}>
      <span class="faint">{words.value.torrents.free}</span>
      {known.map((one) => (
        <span key={one.id}>
          <Icon name="disk" small />
          {one.name} <Figure amount={bytesAmount(one.free_space)} />
        </span>
      ))}
    </div>
  )
}

function DownloaderSelect(props: {
  query: TorrentQuery
  downloaders: readonly WireDownloader[]
  class: string
  onChange: (id: number | undefined) => void
}) {
  const text = words.value.torrents
  const { downloaderId } = props.query
  const listed = props.downloaders.some((one) => one.id === downloaderId)
  return (
    <select
      class={props.class}
      aria-label={text.downloader}
      value={downloaderId === undefined ? '' : String(downloaderId)}
      onChange={(event) =>
        props.onChange(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
      }
    >
      <option value="">{text.allDownloaders}</option>
      {downloaderId === undefined || listed ? null : <option value={String(downloaderId)}>{`#${downloaderId}`}</option>}
      {props.downloaders.map((one) => (
        <option key={one.id} value={String(one.id)}>
          {one.name}
        </option>
      ))}
    </select>
  )
}

function Failures({ page, onRetry }: { page: Pick<WireTorrentPage, 'failures'>; onRetry: () => void }) {
  if (page.failures.length === 0) return null
  const text = words.value.torrents
  return (
    <>
      {page.failures.map((failure) => (
        <Note
          key={failure.downloader_id}
          tone="warn"
          incomplete
          role="status"
          action={
            <button class="link-button" type="button" onClick={onRetry}>
              {`${words.value.common.retry} ${failure.downloader}`}
            </button>
          }
        >
          <b>{failure.last_answer_at === undefined ? text.incomplete : text.notNew}</b>{' '}
          {text.notRead(failure.downloader)} <ReasonWords reason={failure.reason} plain />
          {words.value.common.sentenceEnd}{' '}
          {failure.last_answer_at === undefined ? (
            text.missing
          ) : (
            <>
              {text.asOf} <Moment seconds={failure.last_answer_at} />
            </>
          )}
        </Note>
      ))}
    </>
  )
}

/** What the filters ask for, in words, for a list they leave empty. */
function filterWords(query: TorrentQuery, downloaders: readonly WireDownloader[]): string {
  const text = words.value.torrents
  const parts: string[] = []
  if (query.state !== undefined) parts.push(text.filterState(text.states[query.state]))
  if (query.condition !== undefined)
    parts.push(words.value.torrent.filterCondition(words.value.torrent.conditions[query.condition]))
  if (query.downloaderId !== undefined) {
    const name = downloaders.find((one) => one.id === query.downloaderId)?.name ?? `#${query.downloaderId}`
    parts.push(text.filterDownloader(name))
  }
  if (query.words.trim() !== '') parts.push(text.filterWords(query.words.trim()))
  return parts.join(language.value === 'zh' ? '，' : ', ')
}

function NoRows({ query, downloaders }: { query: TorrentQuery; downloaders: readonly WireDownloader[] | undefined }) {
  const text = words.value.torrents
  if (isFiltered(query)) {
    return (
      <Empty title={text.noMatch} body={text.noMatchBody(filterWords(query, downloaders ?? []))}>
        <a class="btn" href={torrentHash({ ...everyTorrent, sort: query.sort, order: query.order })}>
          {text.clearFilters}
        </a>
      </Empty>
    )
  }
  if (downloaders !== undefined && downloaders.length === 0) {
    return (
      <Empty title={text.noDownloaderTitle} body={text.noDownloaderBody}>
        <a class="btn primary" href="#/downloaders/new">
          <Icon name="plus" />
          {text.addDownloader}
        </a>
      </Empty>
    )
  }
  return <Empty title={text.emptyTitle} body={text.emptyBody} />
}

export function TorrentsPage({ query: search }: { readonly query: URLSearchParams }) {
  const text = words.value.torrents
  const query = useMemo(() => readTorrentQuery(search), [search])
  const total = useSignal(0)
  const rowWindow = useRowWindow(total.value)
  const list = useTorrentRows(query, rowWindow.range)
  const fleet = useResource('downloaders', fetchDownloaders, list.isLive ? undefined : downloadersEveryMs)
  const filtersOpen = useSignal(query.words !== '' || query.downloaderId !== undefined)
  const deeds = useTorrentDeeds(() => Promise.all([list.reload(), fleet.reload()]))
  const filters = liveFilters(query)
  // The rows come first.
  const groupsRead = useResource(
    list.isOwn() ? filters : undefined,
    (signal) => fetchTorrentGroups(groupFilters(filters), signal),
    list.isLive ? undefined : groupsEveryMs,
  )
  const { selected } = deeds
  const asked = useSignal<AskedOfSelection | undefined>(undefined)
  const viewOpen = useSignal(false)
  const openKey = useSignal<string | undefined>(undefined)
  // A link of another program, or a text shared with this page, is there already; nothing is sent before the owner says so.
  const brought = search.get('add')
  const adding = useSignal(brought !== null)
  useEffect(() => {
    if (brought !== null) adding.value = true
  }, [brought, adding])
  const dropped = useSignal<readonly File[]>([])
  const onDrop = useCallback(
    (files: readonly File[]) => {
      dropped.value = [...dropped.peek(), ...files]
      adding.value = true
    },
    [adding, dropped],
  )
  useDropped(onDrop)

  const page = list.state.value.data
  /** Rows of the former filter stay until those of this one come; what is said about a list waits for its own. */
  const isOwn = list.isOwn()
  const downloaders = list.downloaders ?? fleet.state.value.data?.items
  const rows = page?.items ?? []

  const [typed, onTyped] = useTyped(query.words, (next) => replaceAddress(torrentHash({ ...query, words: next })))

  useEffect(() => {
    if (isOwn && page !== undefined) total.value = page.total
  }, [page, isOwn, total])
  // What is chosen is as it was last seen: what takes an action back starts from there.
  useEffect(() => {
    const seen = [...(page?.at.values() ?? [])].filter((torrent) => selected.peek().has(torrentKey(torrent)))
    if (seen.length > 0) deeds.select(seen, true)
  }, [page])
  // All of another list were not meant.
  const filter = JSON.stringify(filterBody(query))
  useEffect(() => {
    deeds.allBut.value = undefined
  }, [filter, deeds.allBut])
  const hash = torrentHash(query)
  useEffect(() => {
    if (isOwn && page !== undefined) torrentTrail.value = { hash, total: page.total, at: page.at }
  }, [page, isOwn, hash])
  useEffect(
    () => () => {
      placesLeft.delete(hash)
      placesLeft.set(hash, scrollY)
      for (const [oldest] of placesLeft) if (placesLeft.size > placesLeftMax) placesLeft.delete(oldest)
    },
    [hash],
  )
  useEffect(() => {
    if (isOwn) scrollTo(0, placesLeft.get(hash) ?? 0)
  }, [hash, isOwn])

  const all = { query, total: total.value, size: page?.total_size ?? 0, rows }
  const selectAll = (on: boolean) => (on ? deeds.selectAll(all) : deeds.selectNone())
  const latestAll = useRef(selectAll)
  latestAll.current = selectAll
  useListKeys({
    add: () => {
      adding.value = true
    },
    all: () => latestAll.current(true),
    pause: () => void deeds.carryOut('pause', all),
    resume: () => void deeds.carryOut('resume', all),
    back: deeds.selectNone,
    filters: () => showGroups(!groupsShown.peek()),
  })

  const failures = page?.failures ?? []
  const failedNames = failures
    .flatMap(({ downloader, last_answer_at }) => (last_answer_at === undefined ? downloader : []))
    .join(', ')
  const late = new Map(failures.flatMap((one) => (one.last_answer_at ? [[one.downloader_id, one.last_answer_at]] : [])))
  const categories = [...new Set(rows.flatMap(({ category }) => (category ? [category] : [])))].sort()
  const open = [...(page?.at.values() ?? [])].find((torrent) => torrentKey(torrent) === openKey.value)
  const places = drawnPlaces(rowWindow.range.value, rowWindow.focused.value, page?.total ?? 0)
  /** Of the words and the downloader chosen, whichever state is. */
  const counts = isOwn ? page?.counts : undefined
  const counted = counts === undefined ? undefined : Object.values(counts.states).reduce((sum, one) => sum + one, 0)
  const held = torrentConditions.filter(
    (condition) => counts?.conditions[condition] !== undefined || condition === query.condition,
  )
  const groups = list.groups ?? groupsRead.state.value.data
  const needing = counts === undefined ? 0 : countOfMatters(counts.conditions)
  const areMattersShown = query.needsOwner === true || (query.state === undefined && query.condition === undefined)
  const go = (next: TorrentQuery) => goTo(torrentHash(next))
  return (
    <Shell
      screen="torrents"
      title={words.value.screens.torrents}
      tight
      facts={downloaders === undefined ? undefined : <Speeds downloaders={downloaders} />}
      tools={
        <>
          <FindBox inBar label={text.find} maxLength={100} value={typed.value} onText={onTyped} />
          <DownloaderSelect
            class="input dl-sel wide-only"
            query={query}
            downloaders={downloaders ?? []}
            onChange={(downloaderId) => go({ ...query, downloaderId })}
          />
          <button
            class="btn wide-only"
            type="button"
            aria-pressed={groupsShown.value}
            onClick={() => showGroups(!groupsShown.value)}
          >
            <Icon name="filter" />
            {words.value.torrentGroups.title}
            <kbd>F</kbd>
          </button>
          <button class="btn wide-only" type="button" aria-haspopup="dialog" onClick={() => (viewOpen.value = true)}>
            <Icon name="menu" />
            {words.value.torrentView.button}
          </button>
          {downloaders === undefined || downloaders.length === 0 ? null : (
            <button
              class="btn primary"
              type="button"
              onClick={() => {
                adding.value = true
              }}
            >
              <Icon name="plus" />
              {words.value.torrent.add}
              <kbd class="wide-only">A</kbd>
            </button>
          )}
          <button
            class="btn icon phone-only"
            type="button"
            aria-label={text.find}
            aria-expanded={filtersOpen.value}
            onClick={() => {
              filtersOpen.value = !filtersOpen.value
            }}
          >
            <Icon name="filter" />
          </button>
        </>
      }
    >
      {filtersOpen.value ? (
        <div class="filters phone-only">
          <FindBox label={text.find} maxLength={100} value={typed.value} onText={onTyped} />
          <DownloaderSelect
            class="input"
            query={query}
            downloaders={downloaders ?? []}
            onChange={(downloaderId) => go({ ...query, downloaderId })}
          />
          <GroupSelects query={query} groups={groups} onChange={go} />
          <select
            class="input"
            aria-label={text.sort}
            value={query.sort}
            onChange={(event) => {
              const column = sortColumns.find((one) => one === event.currentTarget.value)
              if (column !== undefined) go(sortBy(query, column))
            }}
          >
            {sortColumns.map((column) => (
              <option key={column} value={column}>
                {`${text.sort}: ${text.columns[column]}`}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      <div class={groupsShown.value ? 'faceted' : undefined}>
        {groupsShown.value ? <TorrentGroups query={query} groups={groups} /> : null}
        <div class="stack">
          <div class="tab-row">
            <nav class="tabs" aria-label={text.stateFilter}>
              {([undefined, 'needs', ...torrentStates] as const).map((tab) => {
                const isOfState = query.condition === undefined && query.needsOwner !== true
                if (tab === 'needs')
                  return needing === 0 && query.needsOwner !== true ? null : (
                    <a
                      key={tab}
                      href={torrentHash(inState(query, { needsOwner: true }))}
                      aria-current={query.needsOwner === true ? 'true' : undefined}
                    >
                      {words.value.torrentMatters.title}
                      <span class="count">{grouped(needing)}</span>
                    </a>
                  )
                const count = tab === undefined ? counted : counts?.states[tab]
                return (
                  <a
                    key={tab ?? 'all'}
                    href={torrentHash(inState(query, tab === undefined ? {} : { state: tab }))}
                    aria-current={isOfState && tab === query.state ? 'true' : undefined}
                  >
                    {tab === undefined ? text.all : text.states[tab]}
                    {count === undefined ? null : <span class="n">{grouped(count)}</span>}
                  </a>
                )
              })}
            </nav>
            {downloaders === undefined ? null : <FreeSpace downloaders={downloaders} place="wide-only" />}
          </div>
          {held.length === 0 ? null : (
            <nav class="tabs held" aria-label={words.value.torrent.conditionFilter}>
              {held.map((condition) => (
                <a
                  key={condition}
                  href={torrentHash(inState(query, { condition }))}
                  aria-current={condition === query.condition ? 'true' : undefined}
                >
                  {words.value.torrent.conditions[condition]}
                  <span class="n">{grouped(counts?.conditions[condition] ?? 0)}</span>
                </a>
              ))}
            </nav>
          )}
          <ChosenGroups query={query} />
          {page === undefined ? null : <Failures page={page} onRetry={() => void list.reload()} />}
          {groups === undefined || groups.matters.length === 0 || !areMattersShown ? null : (
            <TorrentMatters
              matters={groups.matters}
              run={deeds.atServer}
              onChanged={() => Promise.all([list.reload(), groupsRead.reload()])}
            />
          )}
          <DeedReport deeds={deeds} />
          <List
            of={list}
            empty={
              page !== undefined && (page.failures.length === 0 || isFiltered(query)) ? (
                <NoRows query={query} downloaders={downloaders} />
              ) : null
            }
          >
            {({ total, at }) => (
              <>
                <TorrentTable
                  torrents={places.map((place) => at.get(place))}
                  drawn={{ table: rowWindow.table, places, total, rowHeight: rowWindow.rowHeight.value }}
                  view={torrentView.value}
                  query={query}
                  isPicked={deeds.isPicked}
                  late={late}
                  beyond={{
                    areAllPicked:
                      total > 0 && (deeds.allBut.value?.size ?? (selected.value.size >= total ? 0 : total)) === 0,
                    onAll: selectAll,
                    onRange: (first, last, on) => void deeds.selectPlaces(query, first, last, on),
                  }}
                  pending={deeds.pending.value}
                  busy={!isOwn}
                  onSort={(column) => go(sortBy(query, column))}
                  onSelect={deeds.select}
                  onOpen={(torrent) => {
                    openKey.value = torrentKey(torrent)
                  }}
                  onMenu={(torrent, event) => {
                    event.preventDefault()
                    if (!deeds.isPicked(torrent)) {
                      deeds.selectNone()
                      selected.value = new Map([[torrentKey(torrent), torrent]])
                    }
                    asked.value = { x: event.clientX, y: event.clientY }
                  }}
                />
                <p class="faint small pager">
                  {text.inAll(grouped(total))}
                  {failedNames === '' ? null : `, ${text.notCounted(failedNames)}`}
                </p>
              </>
            )}
          </List>
        </div>
      </div>
      {downloaders === undefined ? null : <FreeSpace downloaders={downloaders} place="phone-only" />}
      <SelectionBar
        deeds={deeds}
        all={all}
        categories={categories}
        asked={asked}
        onOpen={() => {
          openKey.value = [...selected.value.keys()][0]
        }}
      />
      {viewOpen.value ? <ViewDialog hash={hash} onClose={() => (viewOpen.value = false)} /> : null}
      {open === undefined ? null : (
        <TorrentPanel
          torrent={open}
          categories={categories}
          onChanged={() => list.reload()}
          onClose={() => {
            openKey.value = undefined
          }}
        />
      )}
      {adding.value && downloaders !== undefined && downloaders.length > 0 ? (
        <AddTorrents
          downloaders={downloaders}
          files={dropped}
          brought={brought ?? ''}
          categories={categories}
          onAdded={() => Promise.all([list.reload(), fleet.reload()])}
          onClose={() => {
            adding.value = false
            dropped.value = []
            if (brought !== null) replaceAddress(torrentHash(query))
          }}
        />
      ) : null}
    </Shell>
  )
}
