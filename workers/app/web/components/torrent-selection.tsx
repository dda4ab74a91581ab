/** What is chosen in the list of torrents, what can be done with it, and what came of it. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { torrentKey } from '../model/torrent-query.ts'
import type { Deed } from '../model/torrent-undo.ts'
import type { TorrentDeeds } from '../use-torrent-deeds.ts'
import { Confirm } from './confirm.tsx'
import { Figure } from './figure.tsx'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { type MenuItem, type MenuPlace, RowMenu } from './row-menu.tsx'
import { TorrentLabels } from './torrent-labels.tsx'
import { Name } from './torrent-name.tsx'

const namesShown = 5
type Destructive = 'delete' | 'delete_with_files'
export type AskedOfSelection = Destructive | 'labels' | MenuPlace

/** What was done only in part, or not at all. */
export function DeedReport({ deeds }: { deeds: TorrentDeeds }) {
  const text = words.value.torrents
  const report = deeds.report.value
  const undo = deeds.undo.value
  return (
    <>
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

function nameOf(deed: Deed): 'pause' | 'resume' | 'category' | 'tags' {
  const name = typeof deed === 'string' ? deed : deed.kind
  return name === 'pause' || name === 'resume' || name === 'category' ? name : 'tags'
}

export function SelectionBar(props: {
  deeds: TorrentDeeds
  categories: readonly string[]
  asked: { value: AskedOfSelection | undefined }
  /** Of the one torrent that is chosen. */
  onOpen: () => void
}) {
  const { deeds, asked } = props
  const text = words.value.torrents
  const more = words.value.torrent
  const chosen = [...deeds.selected.value.values()]
  const count = grouped(chosen.length)
  const size = bytesAmount(chosen.reduce((sum, torrent) => sum + torrent.size, 0))
  const working = deeds.working.value
  const copied = useSignal(false)
  if (chosen.length === 0) return null
  const ask = (what: AskedOfSelection | undefined) => {
    asked.value = what
  }
  const only = chosen.length === 1 ? chosen[0] : undefined
  const items: readonly MenuItem[] = [
    ...(only === undefined ? [] : [{ label: text.details, icon: 'info' as const, act: props.onOpen }]),
    { label: text.pause, icon: 'pause', act: () => void deeds.carryOut('pause') },
    { label: text.resume, icon: 'play', act: () => void deeds.carryOut('resume') },
    { label: more.recheck, icon: 'check', act: () => void deeds.carryOut({ kind: 'recheck' }) },
    { label: more.reannounce, icon: 'refresh', act: () => void deeds.carryOut({ kind: 'reannounce' }) },
    { label: more.labels, icon: 'folder', act: () => ask('labels') },
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
          <button class="btn" type="button" onClick={() => void deeds.carryOut('pause')}>
            <Icon name="pause" />
            {text.pause}
            <kbd class="wide-only">P</kbd>
          </button>
          <button class="btn" type="button" onClick={() => void deeds.carryOut('resume')}>
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
        <button
          class="btn quiet icon"
          type="button"
          aria-label={text.clear}
          onClick={() => deeds.select(chosen, false)}
        >
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
          categories={props.categories}
          onChange={(change) => deeds.carryOut(change)}
          onClose={() => ask(undefined)}
        />
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
            void deeds.carryOut(question)
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
    </>
  )
}
