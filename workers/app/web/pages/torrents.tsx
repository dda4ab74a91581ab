import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { WireDownloader } from '../../contract/downloaders.ts'
import type { WireTorrent, WireTorrentPage } from '../../contract/torrents.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { torrentConditions } from '../../core/vocabulary.ts'
import type { ApiFailure } from '../api/call.ts'
import { actOnTorrents, fetchDownloaders, fetchTorrents, type TorrentAction } from '../api/downloaders.ts'
import { Confirm } from '../components/confirm.tsx'
import { Figure } from '../components/figure.tsx'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { List } from '../components/loaded.tsx'
import { FailureWords } from '../components/note.tsx'
import { Pager } from '../components/pager.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { AddTorrents, useDropped } from '../components/torrent-add.tsx'
import { Name } from '../components/torrent-name.tsx'
import { TorrentPanel } from '../components/torrent-panel.tsx'
import { TorrentTable } from '../components/torrent-table.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, speedAmount } from '../model/amounts.ts'
import {
  everyTorrent,
  inBatches,
  isFiltered,
  pagesOf,
  readTorrentQuery,
  sortBy,
  sortColumns,
  type TorrentQuery,
  targetsPerAction,
  torrentHash,
  torrentKey,
  torrentParameters,
  torrentRowsPerPage,
  torrentStates,
} from '../model/torrent-query.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'

const listEveryMs = 3000
const downloadersEveryMs = 5000
const namesShown = 5
/** The most that a page of the interface has. */
const selectPageRows = 200
/** A list of more is a matter for a program. */
const selectedMax = 20_000

type Destructive = 'delete' | 'delete_with_files'

interface Report {
  readonly succeeded: number
  readonly failed: readonly { readonly title: string; readonly reason: Reason | undefined }[]
  readonly failure: ApiFailure | undefined
  /** Not tried any more. */
  readonly left: number
}

function Speeds({ downloaders }: { downloaders: readonly WireDownloader[] }) {
  const text = words.value.torrents
  const live = downloaders.filter((one) => one.reachable)
  if (live.length === 0) return null
  const sum = (read: (one: WireDownloader) => number) => live.reduce((total, one) => total + Math.max(0, read(one)), 0)
  return (
    <span class="muted nowrap small strip">
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

function Failures({ page, onRetry }: { page: WireTorrentPage; onRetry: () => void }) {
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
          <b>{text.incomplete}</b> {text.notRead(failure.downloader)} <ReasonWords reason={failure.reason} plain />
          {words.value.common.sentenceEnd} {text.missing}
        </Note>
      ))}
    </>
  )
}

function ActionReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const text = words.value.torrents
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        <button class="link-button" type="button" onClick={onClose}>
          {words.value.common.close}
        </button>
      }
    >
      {report.left > 0 ? <b>{words.value.torrent.leftOut(grouped(report.left))} </b> : null}
      {report.failure === undefined && report.failed.length === 0 ? null : report.failure === undefined ? (
        <>
          <b>{text.partly(grouped(report.succeeded), grouped(report.failed.length))}</b> {text.failedRows}
          <ul class="failed-rows">
            {report.failed.map((row) => (
              <li key={row.title}>
                {row.title}: <ReasonWords reason={row.reason} plain />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <FailureWords failure={report.failure} />
      )}
    </Note>
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
  const parameters = torrentParameters(query)
  const list = useResource(
    parameters.toString(),
    (signal) => fetchTorrents(torrentParameters(query), signal),
    listEveryMs,
  )
  const fleet = useResource('downloaders', fetchDownloaders, downloadersEveryMs)
  const filtersOpen = useSignal(query.words !== '' || query.downloaderId !== undefined)
  const selected = useSignal<ReadonlyMap<string, WireTorrent>>(new Map())
  const pending = useSignal<ReadonlyMap<string, TorrentAction>>(new Map())
  const asked = useSignal<Destructive | undefined>(undefined)
  const report = useSignal<Report | undefined>(undefined)
  const openKey = useSignal<string | undefined>(undefined)
  /** How far something on many is, until it is done or stopped. */
  const working = useSignal<readonly [number, number] | undefined>(undefined)
  const isStopped = useSignal(false)

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
  const downloaders = fleet.state.value.data?.items
  const rows = page?.items ?? []

  const [typed, onTyped] = useTyped(query.words, (next) =>
    replaceAddress(torrentHash({ ...query, words: next, page: 1 })),
  )

  // A page past the end appears when rows vanish under it: go to the last one there is.
  const total = isOwn ? page?.total : undefined
  useEffect(() => {
    if (total !== undefined && query.page > pagesOf(total) && total > 0) {
      replaceAddress(torrentHash({ ...query, page: pagesOf(total) }))
    }
  }, [total, query])

  function select(torrents: readonly WireTorrent[], on: boolean): void {
    const next = new Map(selected.value)
    for (const torrent of torrents) {
      if (on) next.set(torrentKey(torrent), torrent)
      else next.delete(torrentKey(torrent))
    }
    selected.value = next
  }

  async function act(action: TorrentAction): Promise<void> {
    const chosen = [...selected.value.values()]
    if (chosen.length === 0 || working.value !== undefined) return
    asked.value = undefined
    report.value = undefined
    pending.value = new Map([...pending.value, ...chosen.map((torrent) => [torrentKey(torrent), action] as const)])
    // What goes on being there stays chosen, for the next action on the same.
    if (action === 'delete' || action === 'delete_with_files') selected.value = new Map()
    let succeeded = 0
    let failure: ApiFailure | undefined
    const failed: { title: string; reason: Reason | undefined }[] = []
    let done = 0
    isStopped.value = false
    for (const batch of inBatches(chosen, targetsPerAction)) {
      if (isStopped.value) break
      if (chosen.length > targetsPerAction) working.value = [done, chosen.length]
      const answer = await actOnTorrents(
        action,
        batch.map(({ downloader_id, task_id }) => ({ downloader_id, task_id })),
      )
      if (!answer.ok) {
        failure = answer.failure
        break
      }
      done += batch.length
      succeeded += answer.value.succeeded
      const titles = new Map(batch.map((torrent) => [torrentKey(torrent), torrent.title]))
      for (const result of answer.value.results) {
        if (!result.success) {
          failed.push({ title: titles.get(torrentKey(result)) ?? result.task_id, reason: result.reason })
        }
      }
    }
    working.value = undefined
    await Promise.all([list.reload(), fleet.reload()])
    const still = new Map(pending.value)
    for (const torrent of chosen) still.delete(torrentKey(torrent))
    pending.value = still
    const left = chosen.length - done
    if (failure !== undefined || failed.length > 0 || left > 0) report.value = { succeeded, failed, failure, left }
  }

  /** Everything that the filters leave, page by page: what is chosen is what is there now. */
  async function selectEvery(): Promise<void> {
    if (working.value !== undefined) return
    const parameters = torrentParameters({ ...query, page: 1 })
    parameters.set('page_size', String(selectPageRows))
    const all: WireTorrent[] = []
    isStopped.value = false
    for (let at = 1; !isStopped.value && all.length < selectedMax; at += 1) {
      parameters.set('page', String(at))
      const answer = await fetchTorrents(parameters)
      if (!answer.ok) {
        report.value = { succeeded: 0, failed: [], failure: answer.failure, left: 0 }
        break
      }
      all.push(...answer.value.items)
      working.value = [all.length, answer.value.total]
      if (all.length >= answer.value.total || answer.value.items.length === 0) break
    }
    working.value = undefined
    select(all, true)
  }

  useListKeys({
    add: () => {
      adding.value = true
    },
    pause: () => void act('pause'),
    resume: () => void act('resume'),
    back: () => {
      selected.value = new Map()
    },
  })

  const chosen = [...selected.value.values()]
  const chosenSize = bytesAmount(chosen.reduce((sum, torrent) => sum + torrent.size, 0))
  const count = grouped(chosen.length)
  const failedNames = (page?.failures ?? []).map((failure) => failure.downloader).join(', ')
  const categories = [...new Set(rows.flatMap(({ category }) => (category ? [category] : [])))].sort()
  const open = rows.find((torrent) => torrentKey(torrent) === openKey.value)
  /** Of the words and the downloader chosen, whichever state is. */
  const counts = isOwn ? page?.counts : undefined
  const counted = counts === undefined ? undefined : Object.values(counts.states).reduce((sum, one) => sum + one, 0)
  const held = torrentConditions.filter(
    (condition) => counts?.conditions[condition] !== undefined || condition === query.condition,
  )
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
            onChange={(downloaderId) => go({ ...query, downloaderId, page: 1 })}
          />
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
            onChange={(downloaderId) => go({ ...query, downloaderId, page: 1 })}
          />
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
      <div class="tab-row">
        <nav class="tabs" aria-label={text.stateFilter}>
          {([undefined, ...torrentStates] as const).map((state) => {
            const current = state === query.state && query.condition === undefined
            const count = state === undefined ? counted : counts?.states[state]
            return (
              <a
                key={state ?? 'all'}
                href={torrentHash({ ...query, state, condition: undefined, page: 1 })}
                aria-current={current ? 'true' : undefined}
              >
                {state === undefined ? text.all : text.states[state]}
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
              href={torrentHash({ ...query, state: undefined, condition, page: 1 })}
              aria-current={condition === query.condition ? 'true' : undefined}
            >
              {words.value.torrent.conditions[condition]}
              <span class="n">{grouped(counts?.conditions[condition] ?? 0)}</span>
            </a>
          ))}
        </nav>
      )}
      {page === undefined ? null : <Failures page={page} onRetry={() => void list.reload()} />}
      {report.value === undefined ? null : (
        <ActionReport
          report={report.value}
          onClose={() => {
            report.value = undefined
          }}
        />
      )}
      <List
        of={list}
        empty={
          page !== undefined && (page.failures.length === 0 || isFiltered(query)) ? (
            <NoRows query={query} downloaders={downloaders} />
          ) : null
        }
      >
        {({ total }) => (
          <>
            <TorrentTable
              torrents={rows}
              query={query}
              selected={selected.value}
              pending={pending.value}
              busy={!isOwn}
              onSort={(column) => go(sortBy(query, column))}
              onSelect={select}
              onOpen={(torrent) => {
                openKey.value = torrentKey(torrent)
              }}
            />
            <Pager
              page={query.page}
              pageSize={torrentRowsPerPage}
              total={total}
              {...(failedNames === '' ? {} : { without: text.notCounted(failedNames) })}
              onPage={(next) => go({ ...query, page: next })}
            />
          </>
        )}
      </List>
      {downloaders === undefined ? null : <FreeSpace downloaders={downloaders} place="phone-only" />}
      {chosen.length === 0 ? null : (
        <section class="selbar" aria-label={text.selected(count)}>
          <b role="status">{text.selected(count)}</b>
          <span class="faint">
            <Figure amount={chosenSize} />
          </span>
          {working.value !== undefined ? (
            <span class="btns">
              <span role="status">
                {words.value.torrent.working(...(working.value.map(grouped) as [string, string]))}
              </span>
              <button
                class="btn"
                type="button"
                onClick={() => {
                  isStopped.value = true
                }}
              >
                <Icon name="stop" />
                {words.value.torrent.stop}
              </button>
            </span>
          ) : total !== undefined &&
            total > chosen.length &&
            rows.every((row) => selected.value.has(torrentKey(row))) ? (
            <button class="link-button" type="button" onClick={() => void selectEvery()}>
              {words.value.torrent.selectEvery(grouped(total))}
            </button>
          ) : null}
          <span class="btns">
            <button class="btn" type="button" onClick={() => void act('pause')}>
              <Icon name="pause" />
              {text.pause}
              <kbd class="wide-only">P</kbd>
            </button>
            <button class="btn" type="button" onClick={() => void act('resume')}>
              <Icon name="play" />
              {text.resume}
              <kbd class="wide-only">R</kbd>
            </button>
            <button
              class="btn"
              type="button"
              onClick={() => {
                asked.value = 'delete'
              }}
            >
              <Icon name="close" />
              <span>
                {text.remove}
                <span class="wide-only">{text.removeKeep}…</span>
              </span>
            </button>
            <button
              class="btn danger"
              type="button"
              onClick={() => {
                asked.value = 'delete_with_files'
              }}
            >
              <Icon name="trash" />
              <span>
                {text.deleteFiles}
                <span class="wide-only">{text.deleteFilesWide}</span>…
              </span>
            </button>
          </span>
          <button class="btn quiet icon" type="button" aria-label={text.clear} onClick={() => select(chosen, false)}>
            <Icon name="close" />
          </button>
        </section>
      )}
      {asked.value === undefined ? null : (
        <Confirm
          title={
            asked.value === 'delete'
              ? text.confirmRemove(count)
              : text.confirmDelete(count, `${chosenSize.value}\u00a0${chosenSize.unit}`)
          }
          body={asked.value === 'delete' ? text.confirmRemoveBody : text.confirmDeleteBody}
          action={asked.value === 'delete' ? text.doRemove(count) : text.doDelete(count)}
          onCancel={() => {
            asked.value = undefined
          }}
          onConfirm={() => {
            if (asked.value !== undefined) void act(asked.value)
          }}
        >
          <ul class="rows names">
            {chosen.slice(0, namesShown).map((torrent) => (
              <li key={torrentKey(torrent)} title={torrent.title}>
                <Name name={torrent.title} />
              </li>
            ))}
            {chosen.length > namesShown ? (
              <li class="faint">{text.andMore(grouped(chosen.length - namesShown))}</li>
            ) : null}
          </ul>
        </Confirm>
      )}
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
