/** Torrents that need the owner, by why they do, each with what usually helps. */

import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireTorrentGroups } from '../../contract/torrents.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { siteOfTracker } from '../../core/site-of-tracker.ts'
import { isTrackerAddress } from '../../core/tracker.ts'
import { trackerAddressCharactersMax } from '../../limits.ts'
import type { ApiFailure } from '../api/call.ts'
import { changeTorrents, fetchTorrents } from '../api/downloaders.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import {
  everyTorrent,
  filterBody,
  inBatches,
  type TorrentQuery,
  targetsPerAction,
  torrentHash,
  torrentParameters,
} from '../model/torrent-query.ts'
import { useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import type { FollowedRun } from '../use-torrent-run.ts'
import { Confirm } from './confirm.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'

type Matter = WireTorrentGroups['matters'][number]
/** So many before one asks for the rest. */
const mattersShown = 5

function queryOf(matter: Matter): TorrentQuery {
  const { tracker } = matter
  return {
    ...everyTorrent,
    condition: matter.condition,
    said: matter.condition_said ?? '',
    ...(tracker === undefined ? {} : { tracker }),
    downloaderId: matter.downloader_id,
  }
}

export function TorrentMatters(props: {
  matters: readonly Matter[]
  run: FollowedRun
  onChanged: () => Promise<unknown>
}) {
  const text = words.value.torrentMatters
  const { matters, run } = props
  const all = useSignal(false)
  const asked = useSignal<{ readonly what: 'edit' | 'remove'; readonly matter: Matter } | undefined>(undefined)
  const sites = useResource('sites', fetchSiteSettings)
  const total = matters.reduce((sum, one) => sum + one.total, 0)
  const shown = all.value ? matters : matters.slice(0, mattersShown)
  const begin = (matter: Matter, deed: Parameters<FollowedRun['begin']>[0]['deed']) =>
    void run.begin({ deed, ...filterBody(queryOf(matter)), at_most: matter.total })
  const close = () => (asked.value = undefined)
  const question = asked.value
  return (
    <section class="sec nu" aria-labelledby="matters">
      <header>
        <h2 id="matters">{text.title}</h2>
        <span class="n">{text.inGroups(grouped(total), grouped(matters.length))}</span>
        {matters.length <= mattersShown ? null : (
          <span class="end">
            <button class="link-button small" type="button" onClick={() => (all.value = !all.value)}>
              {all.value
                ? words.value.torrentGroups.fewer
                : words.value.torrentGroups.more(grouped(matters.length - mattersShown))}
            </button>
          </span>
        )}
      </header>
      <ul class="rows">
        {shown.map((matter) => {
          const { condition, condition_said: said, tracker, total } = matter
          const name = tracker ?? matter.downloader ?? ''
          const site = tracker === undefined ? undefined : siteOfTracker(sites.state.value.data?.items ?? [], tracker)
          const count = grouped(total)
          return (
            <li key={JSON.stringify([condition, said, tracker, matter.downloader_id])}>
              <span class="bad">
                <Icon name="m-bad" />
              </span>
              <span class="grow nu-t">
                <b>{site?.display_name ?? name}</b>{' '}
                <span class="nu-m">{said === undefined ? words.value.torrent.conditions[condition] : `“${said}”`}</span>{' '}
                <span class="faint nu-n">{text.count(count)}</span>
              </span>
              <span class="btns">
                <a class="link small" href={torrentHash(queryOf(matter))}>
                  {text.show(count)}
                </a>
                {site === undefined ? null : (
                  <a class="link small" href={`#/sites/${site.id}`}>
                    {text.account}
                  </a>
                )}
                {condition === 'tracker_error' && tracker !== undefined ? (
                  <>
                    <button
                      class="link-button small"
                      type="button"
                      onClick={() => (asked.value = { what: 'edit', matter })}
                    >
                      {text.edit}
                    </button>
                    <button
                      class="link-button small"
                      type="button"
                      onClick={() => (asked.value = { what: 'remove', matter })}
                    >
                      {text.remove}
                    </button>
                    <button class="btn" type="button" onClick={() => begin(matter, { kind: 'reannounce' })}>
                      {text.reannounce(count)}
                    </button>
                  </>
                ) : (
                  <button
                    class="btn"
                    type="button"
                    onClick={() => begin(matter, { kind: condition === 'tracker_error' ? 'reannounce' : 'recheck' })}
                  >
                    {condition === 'tracker_error' ? text.reannounce(count) : text.recheck(count)}
                  </button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {question?.what === 'edit' ? (
        <EditTracker matter={question.matter} onChanged={props.onChanged} onClose={close} />
      ) : null}
      {question?.what === 'remove' ? (
        <Confirm
          title={text.confirmRemove(question.matter.tracker ?? '', grouped(question.matter.total))}
          body={text.confirmRemoveBody}
          action={text.remove}
          onCancel={close}
          onConfirm={() => {
            close()
            begin(question.matter, { kind: 'remove_tracker', host: question.matter.tracker ?? '' })
          }}
        />
      ) : null}
    </section>
  )
}

interface Unchanged {
  readonly failure?: ApiFailure
  readonly refused: number
  readonly reason?: Reason | undefined
}

/** The address holds the owner's key, so it is no run that is written down: this page tells it to each. */
async function changeAll(matter: Matter, address: string): Promise<Unchanged> {
  const targets: { downloader_id: number; task_id: string }[] = []
  for (let page = 1; targets.length < matter.total; page++) {
    const read = await fetchTorrents(torrentParameters(queryOf(matter), page, 200))
    if (!read.ok) return { failure: read.failure, refused: 0 }
    targets.push(...read.value.items.map(({ downloader_id, task_id }) => ({ downloader_id, task_id })))
    if (read.value.items.length === 0) break
  }
  let refused = 0
  let reason: Reason | undefined
  for (const batch of inBatches(targets, targetsPerAction)) {
    const told = await changeTorrents({ kind: 'change_tracker', host: matter.tracker ?? '', address }, batch)
    if (!told.ok) return { failure: told.failure, refused }
    refused += told.value.failed
    reason ??= told.value.results.find(({ success }) => !success)?.reason
  }
  return { refused, reason }
}

function EditTracker(props: { matter: Matter; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const text = words.value.torrentMatters
  const form = useForm({ address: '' }, { asks: false })
  const came = useSignal<Unchanged | undefined>(undefined)
  const isBusy = useSignal(false)
  const isTried = useSignal(false)
  const address = form.values.address.trim()
  const wrong = isTried.value && !isTrackerAddress(address) ? text.addressWrong : undefined
  return (
    <Dialog title={text.editTitle(props.matter.tracker ?? '', grouped(props.matter.total))} onClose={props.onClose}>
      <form
        class="su-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          isTried.value = true
          if (!isTrackerAddress(address) || isBusy.value) return
          isBusy.value = true
          void changeAll(props.matter, address).then((outcome) => {
            isBusy.value = false
            came.value = outcome
            void props.onChanged()
            if (outcome.failure === undefined && outcome.refused === 0) props.onClose()
          })
        }}
      >
        {came.value?.failure === undefined ? null : <FailureNote failure={came.value.failure} role="alert" />}
        {came.value === undefined || came.value.refused === 0 ? null : (
          <Note tone="bad" role="alert">
            {text.partly(grouped(came.value.refused))}{' '}
            {came.value.reason === undefined ? null : <ReasonWords reason={came.value.reason} />}
          </Note>
        )}
        <TextField
          label={text.address}
          {...form.typed('address')}
          maxLength={trackerAddressCharactersMax}
          hint={text.addressHint}
          error={wrong}
          address
        />
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={props.onClose}>
            {words.value.common.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={isBusy.value}>
            {text.edit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
