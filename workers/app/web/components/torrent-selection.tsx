/** What is chosen in the list of torrents, what can be done with it, and what came of it. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import { transferTargetsMax } from '../../limits.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { torrentKey } from '../model/torrent-query.ts'
import type { Deed } from '../model/torrent-undo.ts'
import type { AllMatching, TorrentDeeds } from '../use-torrent-deeds.ts'
import type { FollowedRun } from '../use-torrent-run.ts'
import { Confirm } from './confirm.tsx'
import { Figure, Meter } from './figure.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { type MenuItem, type MenuPlace, RowMenu } from './row-menu.tsx'
import { TorrentLabels } from './torrent-labels.tsx'
import { Name } from './torrent-name.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

const namesShown = 5
const failuresShown = 10
type Destructive = 'delete' | 'delete_with_files'
export type AskedOfSelection = Destructive | 'labels' | 'transfer' | MenuPlace

/** What was done only in part, or not at all. */
export function DeedReport({ deeds }: { deeds: TorrentDeeds }) {
  const text = words.value.torrents
  const report = deeds.report.value
  const undo = deeds.undo.value
  return (
    <>
      <AtServer of={deeds.atServer} />
      {report === undefined ? null : (
        <Note
          tone="bad"
          role="alert"
          action={
            <button class="link-button" type="button" onClick={() => (deeds.report.value = undefined)}>
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
      )}
      <div role="status">
        {undo === undefined ? null : (
          <Note
            tone="good"
            action={
              <span class="btns">
                <button class="link-button" type="button" onClick={() => void deeds.takeBack()}>
                  {words.value.torrent.undo}
                </button>
                <button class="link-button" type="button" onClick={() => (deeds.undo.value = undefined)}>
                  {words.value.common.close}
                </button>
              </span>
            }
          >
            {words.value.torrent.wasDone(nameOf(undo.deed), grouped(undo.count))}
          </Note>
        )}
      </div>
    </>
  )
}

/** How far the server is with all that match, and what came of it. */
function AtServer({ of: { run: shown, failure, stop, undo, forget } }: { of: FollowedRun }) {
  const text = words.value.torrentRun
  const run = shown.value
  if (run === undefined)
    return failure.value === undefined ? null : <FailureNote failure={failure.value} role="alert" />
  const left = run.total - run.succeeded - run.failed
  const isRunning = run.status === 'running'
  const canUndo = !isRunning && run.succeeded > 0 && (run.deed === 'pause' || run.deed === 'resume')
  return (
    <Note
      tone={isRunning ? 'good' : left + run.failed + run.unread.length > 0 ? 'warn' : 'good'}
      role="status"
      action={
        <span class="btns">
          {isRunning ? (
            <button class="link-button" type="button" onClick={stop}>
              {words.value.torrent.stop}
            </button>
          ) : null}
          {canUndo ? (
            <button class="link-button" type="button" onClick={undo}>
              {words.value.torrent.undo}
            </button>
          ) : null}
          {isRunning ? null : (
            <button class="link-button" type="button" onClick={forget}>
              {words.value.common.close}
            </button>
          )}
        </span>
      }
    >
      <b>{text.deeds[run.deed]}: </b>
      {text.ofAll(grouped(run.succeeded), grouped(run.total))}
      {run.failed === 0 ? null : ` ${text.failed(grouped(run.failed))}`}
      {isRunning ? <Meter percent={run.total === 0 ? 0 : ((run.total - left) / run.total) * 100} tone="f" /> : null}
      {isRunning || left === 0
        ? null
        : ` ${run.status === 'stopped' ? text.stopped(grouped(left)) : text.tooLate(grouped(left))}`}
      {failure.value === undefined ? null : (
        <>
          {' '}
          <FailureWords failure={failure.value} />
        </>
      )}
      {run.unread.map((one) => (
        <p key={one.downloader_id}>
          {words.value.torrents.notRead(one.downloader)} <ReasonWords reason={one.reason} plain />
        </p>
      ))}
      {isRunning || run.failed === 0 ? null : (
        <ul class="failed-rows">
          {run.failures.slice(0, failuresShown).map((one) => (
            <li key={torrentKey(one)}>
              {one.title}: <ReasonWords reason={one.reason} plain />
            </li>
          ))}
          {run.failed > failuresShown ? (
            <li>{words.value.torrents.andMore(grouped(run.failed - failuresShown))}</li>
          ) : null}
        </ul>
      )}
    </Note>
  )
}

function nameOf(deed: Deed): 'pause' | 'resume' | 'category' | 'tags' {
  const name = typeof deed === 'string' ? deed : deed.kind
  return name === 'pause' || name === 'resume' || name === 'category' ? name : 'tags'
}

/** Of one downloader, and no more than one request moves. */
function isOfOne(chosen: readonly WireTorrent[]): boolean {
  return (
    chosen.length > 0 &&
    chosen.length <= transferTargetsMax &&
    chosen.every(({ downloader_id }) => downloader_id === chosen[0]?.downloader_id)
  )
}

export function SelectionBar(props: {
  deeds: TorrentDeeds
  categories: readonly string[]
  asked: { value: AskedOfSelection | undefined }
  /** What the filters leave, and of it what is read. */
  all: AllMatching & { readonly size: number; readonly rows: readonly WireTorrent[] }
  /** Of the one torrent that is chosen. */
  onOpen: () => void
}) {
  const { deeds, asked, all } = props
  const text = words.value.torrents
  const more = words.value.torrent
  const allBut = deeds.allBut.value
  const sizeOf = (torrents: Iterable<WireTorrent>) => [...torrents].reduce((sum, torrent) => sum + torrent.size, 0)
  /** Of all that match those that are read: enough to name some. */
  const chosen = allBut === undefined ? [...deeds.selected.value.values()] : all.rows.filter(deeds.isPicked)
  const number = allBut === undefined ? chosen.length : all.total - allBut.size
  const count = grouped(number)
  const size = bytesAmount(allBut === undefined ? sizeOf(chosen) : all.size - sizeOf(allBut.values()))
  const working = deeds.working.value
  const copied = useSignal(false)
  const carryOut = (deed: Deed) => deeds.carryOut(deed, all)
  if (number <= 0) return null
  const ask = (what: AskedOfSelection | undefined) => {
    asked.value = what
  }
  const only = chosen.length === 1 ? chosen[0] : undefined
  const items: readonly MenuItem[] = [
    ...(only === undefined ? [] : [{ label: text.details, icon: 'info' as const, act: props.onOpen }]),
    { label: text.pause, icon: 'pause', act: () => void carryOut('pause') },
    { label: text.resume, icon: 'play', act: () => void carryOut('resume') },
    { label: more.recheck, icon: 'check', act: () => void carryOut({ kind: 'recheck' }) },
    { label: more.reannounce, icon: 'refresh', act: () => void carryOut({ kind: 'reannounce' }) },
    { label: more.labels, icon: 'folder', act: () => ask('labels') },
    ...(isOfOne(chosen) && allBut === undefined
      ? [{ label: words.value.transfers.begin, icon: 'right' as const, act: () => ask('transfer') }]
      : []),
    ...(only === undefined
      ? []
      : [
          {
            label: more.copyHash,
            icon: 'copy' as const,
            act: () => {
              void navigator.clipboard.writeText(only.info_hash).then(() => (copied.value = true))
            },
          },
        ]),
    { label: `${text.remove}${text.removeKeep}…`, icon: 'close', act: () => ask('delete') },
    {
      label: `${text.deleteFiles}${text.deleteFilesWide}…`,
      icon: 'trash',
      isDanger: true,
      act: () => ask('delete_with_files'),
    },
  ]
  const question = asked.value
  return (
    <>
      <section class="selbar" aria-label={text.selected(count)}>
        <b role="status">{copied.value && only !== undefined ? words.value.common.copied : text.selected(count)}</b>
        <span class="faint">
          <Figure amount={size} />
        </span>
        {working === undefined ? null : (
          <span class="btns">
            <span role="status">{more.working(...(working.map(grouped) as [string, string]))}</span>
            <button class="btn" type="button" onClick={deeds.stop}>
              <Icon name="stop" />
              {more.stop}
            </button>
          </span>
        )}
        <span class="btns">
          <button class="btn" type="button" onClick={() => void carryOut('pause')}>
            <Icon name="pause" />
            {text.pause}
            <kbd class="wide-only">P</kbd>
          </button>
          <button class="btn" type="button" onClick={() => void carryOut('resume')}>
            <Icon name="play" />
            {text.resume}
            <kbd class="wide-only">R</kbd>
          </button>
          <button
            class="btn"
            type="button"
            aria-haspopup="menu"
            onClick={(event) => {
              const { left, top } = event.currentTarget.getBoundingClientRect()
              ask({ x: left, y: top })
            }}
          >
            <Icon name="menu" />
            {words.value.screens.more}
          </button>
          <button class="btn wide-only" type="button" onClick={() => ask('delete')}>
            <Icon name="close" />
            {text.remove}
            {text.removeKeep}…
          </button>
          <button class="btn danger" type="button" onClick={() => ask('delete_with_files')}>
            <Icon name="trash" />
            <span>
              {text.deleteFiles}
              <span class="wide-only">{text.deleteFilesWide}</span>…
            </span>
          </button>
        </span>
        <button class="btn quiet icon" type="button" aria-label={text.clear} onClick={deeds.selectNone}>
          <Icon name="close" />
        </button>
      </section>
      {typeof question === 'object' ? (
        <RowMenu
          label={only?.title ?? text.selected(count)}
          place={question}
          items={items}
          onClose={() => {
            if (typeof asked.value === 'object') ask(undefined)
          }}
        />
      ) : question === 'labels' ? (
        <TorrentLabels
          torrents={chosen}
          count={count}
          categories={props.categories}
          onChange={(change) => carryOut(change)}
          onClose={() => ask(undefined)}
        />
      ) : question === 'transfer' ? (
        <TransferDialog torrents={chosen} onClose={() => ask(undefined)} />
      ) : question === undefined ? null : (
        <Confirm
          title={
            question === 'delete'
              ? text.confirmRemove(count)
              : text.confirmDelete(count, `${size.value}\u00a0${size.unit}`)
          }
          body={question === 'delete' ? text.confirmRemoveBody : text.confirmDeleteBody}
          action={question === 'delete' ? text.doRemove(count) : text.doDelete(count)}
          onCancel={() => ask(undefined)}
          onConfirm={() => {
            ask(undefined)
            void carryOut(question)
          }}
        >
          <ul class="rows names">
            {chosen.slice(0, namesShown).map((torrent) => (
              <li key={torrentKey(torrent)} title={torrent.title}>
                <Name name={torrent.title} />
              </li>
            ))}
            {number > namesShown ? (
              <li class="faint">{text.andMore(grouped(number - Math.min(namesShown, chosen.length)))}</li>
            ) : null}
          </ul>
        </Confirm>
      )}
    </>
  )
}
