/** What is done with the torrents that are chosen: how far it is, what came of it, and how it is taken back. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { TorrentRunBody } from '../contract/torrent-runs.ts'
import type { WireTorrent } from '../contract/torrents.ts'
import type { Reason } from '../core/reason/reason.ts'
import { torrentRunExceptMax } from '../limits.ts'
import type { ApiFailure } from './api/call.ts'
import { actOnTorrents, changeTorrents, fetchTorrents, type TorrentAction } from './api/downloaders.ts'
import {
  filterBody,
  inBatches,
  type TorrentQuery,
  targetsPerAction,
  torrentKey,
  torrentParameters,
} from './model/torrent-query.ts'
import { afterDeed, type Deed, type UndoStep, undoOf } from './model/torrent-undo.ts'
import { type FollowedRun, useTorrentRun } from './use-torrent-run.ts'

/** The most that a page of the interface has. */
const selectPageRows = 200
/** A list of more is a matter for a program. */
const selectedMax = 20_000

interface Report {
  readonly succeeded: number
  readonly failed: readonly { readonly title: string; readonly reason: Reason | undefined }[]
  readonly failure: ApiFailure | undefined
  /** Not tried any more. */
  readonly left: number
}

interface Undo {
  readonly deed: Deed
  readonly count: number
  readonly steps: readonly UndoStep[]
}

export interface TorrentDeeds {
  readonly selected: Signal<ReadonlyMap<string, WireTorrent>>
  /** All that match but these, instead of those that are selected. */
  readonly allBut: Signal<ReadonlyMap<string, WireTorrent> | undefined>
  readonly isPicked: (torrent: WireTorrent) => boolean
  /** What the server does to all that match. */
  readonly atServer: FollowedRun
  readonly pending: ReadonlySignal<ReadonlyMap<string, TorrentAction>>
  readonly report: Signal<Report | undefined>
  readonly undo: Signal<Undo | undefined>
  /** How far something on many is, until it is done or stopped. */
  readonly working: ReadonlySignal<readonly [number, number] | undefined>
  readonly stop: () => void
  readonly select: (torrents: readonly WireTorrent[], on: boolean) => void
  /** What the filters leave from one place to another, both included; what is chosen is what is there now. */
  readonly selectPlaces: (query: TorrentQuery, first: number, last: number, on: boolean) => Promise<void>
  /** `all` is what was looked at: how many of which filter. */
  readonly carryOut: (deed: Deed, all: AllMatching) => Promise<void>
  readonly selectAll: (all: AllMatching) => void
  readonly selectNone: () => void
  readonly takeBack: () => Promise<void>
}

export interface AllMatching {
  readonly query: TorrentQuery
  readonly total: number
}

export function useTorrentDeeds(reload: () => Promise<unknown>): TorrentDeeds {
  const selected = useSignal<ReadonlyMap<string, WireTorrent>>(new Map())
  const allBut = useSignal<ReadonlyMap<string, WireTorrent> | undefined>(undefined)
  const atServer = useTorrentRun(reload)
  const pending = useSignal<ReadonlyMap<string, TorrentAction>>(new Map())
  const report = useSignal<Report | undefined>(undefined)
  const undo = useSignal<Undo | undefined>(undefined)
  const working = useSignal<readonly [number, number] | undefined>(undefined)
  const isStopped = useSignal(false)

  const isDestructive = (deed: Deed) => deed === 'delete' || deed === 'delete_with_files'

  function selectNone(): void {
    selected.value = new Map()
    allBut.value = undefined
  }

  /** Few are chosen one by one: what is done to them is done at once, and taken back each by itself. */
  function selectAll({ query, total }: AllMatching): void {
    selectNone()
    if (total > targetsPerAction) allBut.value = new Map()
    else void selectPlaces(query, 0, total - 1, true)
  }

  function select(torrents: readonly WireTorrent[], on: boolean): void {
    const left = allBut.peek()
    if (left !== undefined) {
      const next = new Map(left)
      for (const torrent of torrents) {
        if (on) next.delete(torrentKey(torrent))
        else if (next.size < torrentRunExceptMax) next.set(torrentKey(torrent), torrent)
      }
      allBut.value = next
      return
    }
    const next = new Map(selected.peek())
    for (const torrent of torrents) {
      if (on) next.set(torrentKey(torrent), torrent)
      else next.delete(torrentKey(torrent))
    }
    selected.value = next
  }

  async function selectPlaces(query: TorrentQuery, first: number, last: number, on: boolean): Promise<void> {
    if (working.peek() !== undefined) return
    allBut.value = undefined
    const all: WireTorrent[] = []
    isStopped.value = false
    for (let page = Math.floor(first / selectPageRows); !isStopped.peek(); page += 1) {
      const answer = await fetchTorrents(torrentParameters(query, page + 1, selectPageRows))
      if (!answer.ok) {
        report.value = { succeeded: 0, failed: [], failure: answer.failure, left: 0 }
        break
      }
      const { items, total } = answer.value
      const from = page * selectPageRows
      all.push(...items.filter((_, at) => from + at >= first && from + at <= last))
      const end = Math.min(last + 1, total, selectedMax)
      if (from + items.length >= end || items.length === 0) break
      working.value = [all.length, end - first]
    }
    working.value = undefined
    select(all, on)
  }

  async function send(
    deed: Deed,
    torrents: readonly WireTorrent[],
  ): Promise<Report & { done: readonly WireTorrent[] }> {
    const done: WireTorrent[] = []
    const failed: { title: string; reason: Reason | undefined }[] = []
    let failure: ApiFailure | undefined
    let tried = 0
    for (const batch of inBatches(torrents, targetsPerAction)) {
      if (isStopped.peek()) break
      if (torrents.length > targetsPerAction) working.value = [tried, torrents.length]
      const targets = batch.map(({ downloader_id, task_id }) => ({ downloader_id, task_id }))
      const answer = await (typeof deed === 'string' ? actOnTorrents(deed, targets) : changeTorrents(deed, targets))
      if (!answer.ok) {
        failure = answer.failure
        break
      }
      tried += batch.length
      const byKey = new Map(batch.map((torrent) => [torrentKey(torrent), torrent]))
      for (const result of answer.value.results) {
        const torrent = byKey.get(torrentKey(result))
        if (!result.success) failed.push({ title: torrent?.title ?? result.task_id, reason: result.reason })
        else if (torrent !== undefined) done.push(torrent)
      }
    }
    return { succeeded: done.length, failed, failure, left: torrents.length - tried, done }
  }

  async function work(steps: readonly UndoStep[]): Promise<readonly (readonly [Deed, readonly WireTorrent[]])[]> {
    report.value = undefined
    undo.value = undefined
    isStopped.value = false
    const touched = steps.flatMap(({ deed, torrents }) =>
      torrents.map((torrent) => [torrentKey(torrent), deed] as const),
    )
    pending.value = new Map([
      ...pending.peek(),
      ...touched.flatMap(([key, deed]) => (typeof deed === 'string' ? [[key, deed] as const] : [])),
    ])
    const done: (readonly [Deed, readonly WireTorrent[]])[] = []
    const all = {
      succeeded: 0,
      failed: [] as Report['failed'][number][],
      failure: undefined as Report['failure'],
      left: 0,
    }
    for (const { deed, torrents } of steps) {
      const came = await send(deed, torrents)
      done.push([deed, came.done])
      // The next action on them starts from how they are now.
      const kept = came.done.filter((torrent) => selected.peek().has(torrentKey(torrent)))
      if (kept.length > 0)
        select(
          kept.map((torrent) => afterDeed(deed, torrent)),
          true,
        )
      all.succeeded += came.succeeded
      all.failed.push(...came.failed)
      all.failure ??= came.failure
      all.left += came.left
    }
    working.value = undefined
    await reload()
    const still = new Map(pending.peek())
    for (const [key] of touched) still.delete(key)
    pending.value = still
    if (all.failure !== undefined || all.failed.length > 0 || all.left > 0) report.value = all
    return done
  }

  async function carryOut(deed: Deed, all: AllMatching): Promise<void> {
    const left = allBut.peek()
    if (left !== undefined) return carryOutAtServer(deed, all, left)
    const chosen = [...selected.peek().values()]
    if (chosen.length === 0 || working.peek() !== undefined) return
    // What goes on being there stays chosen, for the next action on the same.
    if (isDestructive(deed)) selected.value = new Map()
    const [done] = await work([{ deed, torrents: chosen }])
    const steps = undoOf(deed, done?.[1] ?? [])
    if (steps.length > 0) undo.value = { deed, count: done?.[1].length ?? 0, steps }
  }

  async function carryOutAtServer(
    deed: Deed,
    { query, total }: AllMatching,
    left: ReadonlyMap<string, WireTorrent>,
  ): Promise<void> {
    report.value = undefined
    undo.value = undefined
    const begun = await atServer.begin({
      deed: (typeof deed === 'string' ? { kind: deed } : deed) as TorrentRunBody['deed'],
      ...filterBody(query),
      except: [...left.values()].map(({ downloader_id, task_id }) => ({ downloader_id, task_id })),
      at_most: total - left.size,
    })
    if (begun && isDestructive(deed)) selectNone()
  }

  async function takeBack(): Promise<void> {
    const steps = undo.peek()?.steps
    if (steps !== undefined && working.peek() === undefined) await work(steps)
  }

  return {
    selected,
    allBut,
    isPicked: (torrent) => {
      const key = torrentKey(torrent)
      return allBut.value === undefined ? selected.value.has(key) : !allBut.value.has(key)
    },
    atServer,
    selectAll,
    selectNone,
    pending,
    report,
    undo,
    working,
    stop: () => {
      isStopped.value = true
    },
    select,
    selectPlaces,
    carryOut,
    takeBack,
  }
}
