/** One subscription: how far it is, its episodes and torrents, and what can be done with it. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireSubscriptionDetail } from '../../contract/subscriptions.ts'
import {
  fetchSubscription,
  removeSubscription,
  searchForSubscription,
  setSubscriptionStatus,
} from '../api/subscriptions.ts'
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import type { TorrentSpan } from '../model/subscription-facts.ts'
import { airDayText, torrentSpan } from '../model/subscription-facts.ts'
import { langOf } from '../model/title-language.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useSites } from '../use-sites.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { Figure, Moment } from './figure.tsx'
import { Skeleton } from './list-states.tsx'
import { Loaded } from './loaded.tsx'
import { Poster } from './poster.tsx'
import { ReasonWords } from './reason.tsx'
import { StateMark } from './state-mark.tsx'
import { Standing, SubscriptionFailureNote, SubscriptionState, subscriptionFacts } from './subscription-parts.tsx'
import { SubscriptionSettings } from './subscription-settings.tsx'
import { type Column, Table } from './table.tsx'
import { Name } from './torrent-name.tsx'

const everyMs = 10_000

type Episode = WireSubscriptionDetail['episodes'][number]
type Torrent = WireSubscriptionDetail['torrents'][number]
type Mark = readonly [IconName, string]

const episodeMarks: Readonly<Record<Episode['state'], Mark>> = {
  library: ['m-done', 'good'],
  downloading: ['m-part', 'acc'],
  missing: ['m-bad', 'bad'],
  upcoming: ['m-guess', 'faint'],
}
const torrentMarks: Readonly<Record<Torrent['status'], Mark>> = {
  downloading: ['m-part', 'acc'],
  done: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
  replaced: ['m-off', 'faint'],
}

function spanText(span: TorrentSpan): string {
  const text = words.value.subscriptions
  if (span.kind === 'whole') return text.wholeSeason
  return span.kind === 'one' ? text.episode(span.number) : text.episodesFrom(span.from, span.to)
}

/** When it was searched for and when it will be, and what came of it in the server's words. */
function SearchTimes({ one }: { one: WireSubscriptionDetail }) {
  const text = words.value.subscriptions
  const { last_search_at: last, next_search_at: next, reason } = one
  const parts: ComponentChildren[] = []
  if (last !== undefined) {
    parts.push(
      <>
        {text.lastSearch} <Moment seconds={last} />
      </>,
    )
  } else if (one.status === 'active') parts.push(text.notSearched)
  if (one.status !== 'active') parts.push(text.noSearch[one.status])
  else if (next !== undefined) {
    parts.push(
      <>
        {text.nextSearch} {next * 1000 <= Date.now() ? text.dueNow : <Moment seconds={next} />}
      </>,
    )
  }
  if (reason !== undefined) parts.push(<ReasonWords reason={reason} plain />)
  return <p class="muted">{parts.map((part, at) => (at === 0 ? part : [' · ', part]))}</p>
}

function Figures({ one }: { one: WireSubscriptionDetail }) {
  const text = words.value.subscriptions
  const { total, aired, in_library: held, downloading, missing } = one.progress
  return (
    <dl class="sd-f">
      <div>
        <dt>{text.figures.held}</dt>
        <dd>
          {held}
          {total === 0 ? null : <span class="unit">{text.ofTotal(total)}</span>}
        </dd>
      </div>
      <div>
        <dt>{text.figures.aired}</dt>
        <dd>{aired}</dd>
      </div>
      <div>
        <dt>{text.figures.downloading}</dt>
        <dd>{downloading}</dd>
      </div>
      <div>
        <dt>{text.figures.missing}</dt>
        <dd class={missing.length === 0 ? undefined : 'bad'}>{missing.length}</dd>
      </div>
    </dl>
  )
}

function Episodes({ episodes }: { episodes: readonly Episode[] }) {
  const text = words.value.subscriptions
  const thisYear = new Date().getFullYear()
  return (
    <section class="sec">
      <header>
        <h2>{text.episodes}</h2>
        <span class="n">{episodes.length}</span>
      </header>
      <ol class="eps">
        {episodes.map((episode) => (
          <li key={episode.number} class={`ep ${episode.state}`}>
            <span class="ep-n">{episode.number}</span>
            <span class="ep-t cut" title={episode.name} lang={langOf(episode.name ?? '')}>
              {episode.name ?? <span class="faint">{text.unnamed}</span>}
            </span>
            <span class="faint tiny">
              {episode.air_date === undefined ? (
                text.noDate
              ) : (
                <time dateTime={episode.air_date}>{airDayText(episode.air_date, thisYear, language.value)}</time>
              )}
            </span>
            <span class="ep-s tiny">
              <Icon name={episodeMarks[episode.state][0]} />
              {text.episodeStates[episode.state]}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Torrents({ torrents, isFilm }: { torrents: readonly Torrent[]; isFilm: boolean }) {
  const text = words.value.subscriptions
  const { labelOf, areRead } = useSites()
  const episodes: Column<WireSubscriptionDetail['torrents'][number]> = {
    head: text.columns.episodes,
    th: 'num',
    td: 'num nowrap',
    cell: (torrent) => spanText(torrentSpan(torrent)),
  }
  return (
    <section class="sec">
      <header>
        <h2>{text.torrents}</h2>
        <span class="n">{torrents.length}</span>
      </header>
      {torrents.length === 0 ? (
        <p class="faint pad">{text.noTorrents}</p>
      ) : !areRead ? (
        <Skeleton rows={torrents.length} />
      ) : (
        <Table
          class="subt"
          rows={torrents}
          keyOf={(torrent) => `${torrent.site} ${torrent.torrent_id}`}
          columns={[
            {
              head: text.columns.title,
              td: 'name',
              cell: ({ title, reason, status }) => (
                <>
                  <Name name={title} />
                  {reason === undefined ? null : (
                    <span class={status === 'failed' ? 'small bad' : 'small faint'}>
                      <ReasonWords reason={reason} />
                    </span>
                  )}
                </>
              ),
            },
            { head: text.columns.site, th: 'mid', td: 'nowrap muted mid', cell: ({ site }) => labelOf(site) },
            ...(isFilm ? [] : [episodes]),
            {
              head: text.columns.size,
              th: 'num',
              td: 'num',
              cell: ({ size }) => (size === 0 ? '—' : <Figure amount={bytesAmount(size)} />),
            },
            {
              head: text.columns.state,
              td: 'nowrap',
              cell: ({ status }) => {
                const [mark, tone] = torrentMarks[status]
                return (
                  <StateMark mark={mark} tone={tone}>
                    {text.torrentStates[status]}
                  </StateMark>
                )
              },
            },
            {
              head: text.columns.added,
              th: 'num mid',
              td: 'num muted wide-only mid',
              cell: (torrent) => <Moment seconds={torrent.created_at} />,
            },
          ]}
        />
      )}
    </section>
  )
}

function Head(props: { one: WireSubscriptionDetail; onChanged: () => Promise<void>; onRemoved: () => Promise<void> }) {
  const { one } = props
  const text = words.value.subscriptions
  const { act, busy, isBusy, failure, removing } = useActions<{ id: number; name: string }>({ reload: props.onChanged })
  const isSetting = useSignal(false)

  const setStatus = (status: 'active' | 'paused') => act(() => setSubscriptionStatus(one.id, status))
  /** What came of it stands in the subscription itself from then on. */
  const search = () => act(() => searchForSubscription(one.id), 'search')

  return (
    <>
      <div class="sd-head">
        <Poster path={one.poster_path} title={one.title} />
        <div class="grow">
          <div class="sd-t">
            <h2 lang={langOf(one.title)}>{one.title}</h2> <span class="muted">{subscriptionFacts(one)}</span>
          </div>
          <div class="sd-m">
            <SubscriptionState status={one.status} />
            {one.media_type === 'movie' ? <Standing subscription={one} /> : null}
            {one.upgrade ? <span class="tag">{text.upgrade}</span> : null}
            <span class="faint small">
              {text.source(text.sources[one.source])} · {text.added} <Moment seconds={one.created_at} />
            </span>
          </div>
          <SearchTimes one={one} />
          <div class="btns">
            {one.status === 'active' ? (
              <button
                class="btn"
                type="button"
                aria-disabled={isBusy ? 'true' : undefined}
                onClick={() => void search()}
              >
                <Icon name="search" />
                {busy === 'search' ? text.searching : text.searchNow}
              </button>
            ) : null}
            {one.status === 'paused' || one.status === 'pending' ? (
              <button
                class="btn"
                type="button"
                aria-disabled={isBusy ? 'true' : undefined}
                onClick={() => void setStatus('active')}
              >
                <Icon name="play" />
                {one.status === 'paused' ? text.resume : text.searchAnyway}
              </button>
            ) : null}
            {one.status === 'active' || one.status === 'pending' ? (
              <button
                class="btn"
                type="button"
                aria-disabled={isBusy ? 'true' : undefined}
                onClick={() => void setStatus('paused')}
              >
                <Icon name="pause" />
                {text.pause}
              </button>
            ) : null}
            <button class="btn" type="button" onClick={setting(isSetting, true)}>
              <Icon name="settings" />
              {text.settings}
            </button>
            <button
              class="btn danger quiet"
              type="button"
              onClick={() => {
                removing.value = { id: one.id, name: one.title }
              }}
            >
              <Icon name="trash" />
              {text.remove}…
            </button>
          </div>
        </div>
        {one.media_type === 'movie' ? null : <Figures one={one} />}
      </div>
      {failure.value === undefined ? null : <SubscriptionFailureNote failure={failure.value} />}
      {isSetting.value ? (
        <SubscriptionSettings
          id={one.id}
          title={one.title}
          onSaved={() => void props.onChanged()}
          onClose={setting(isSetting, false)}
        />
      ) : null}
      <ConfirmRemoval
        wanted={removing}
        text={text}
        remove={removeSubscription}
        after={async (answer) => {
          failure.value = answer.ok ? undefined : answer.failure
          if (answer.ok) await props.onRemoved()
        }}
      />
    </>
  )
}

export function SubscriptionDetails(props: {
  id: number
  allHash: string
  /** The list is another answer. */
  onChanged: () => Promise<void>
  onRemoved: () => Promise<void>
}) {
  const text = words.value.subscriptions
  const key = `subscription ${props.id}`
  const detail = useResource(key, (signal) => fetchSubscription(props.id, signal), everyMs)
  const { failure } = detail.state.value
  useEffect(() => {
    // The next one begins at its top.
    scrollTo({ top: 0 })
  }, [key])
  const back = (
    <a class="link back phone-only" href={props.allHash}>
      {text.backToAll}
    </a>
  )
  if (failure?.code === 'not_found') {
    return (
      <article class="subdet">
        {back}
        <Empty title={text.gone} body="" />
      </article>
    )
  }
  return (
    <article class="subdet">
      {back}
      <Loaded of={detail} own>
        {(one) => (
          <>
            <Head
              key={one.id}
              one={one}
              onChanged={async () => {
                await Promise.all([detail.reload(), props.onChanged()])
              }}
              onRemoved={props.onRemoved}
            />
            {one.media_type === 'movie' ? null : <Episodes episodes={one.episodes} />}
            <Torrents torrents={one.torrents} isFilm={one.media_type === 'movie'} />
          </>
        )}
      </Loaded>
    </article>
  )
}
