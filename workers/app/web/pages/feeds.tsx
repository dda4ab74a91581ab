/** Feeds, the rules that judge what they bring, and what was decided. */
import { useSignal } from '@preact/signals'
import { Empty } from '#shared/pages/note.tsx'
import { into } from '#shared/pages/set.ts'
import type { FeedBody, WireFeed } from '../../contract/console-feeds.ts'
import { changeFeed, fetchFeeds, removeFeed, runFeed } from '../api/automation.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { FeedForm } from '../components/feed-form.tsx'
import type { Wider } from '../components/feed-item-why.tsx'
import { FeedItems } from '../components/feed-items.tsx'
import { Moment } from '../components/figure.tsx'
import { FilterRules } from '../components/filter-rules.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { AddButton } from '../components/list-screen.tsx'
import { List } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RunRow, type RunState, runState } from '../components/run-row.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { eachOf } from '../model/reasons.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useNamed, useSites } from '../use-sites.ts'

const everyMs = 5000

function stateOf({ enabled, site_enabled, last_at, reason }: WireFeed): RunState {
  return runState({ isOn: enabled && site_enabled, hasRun: last_at !== undefined, failed: reason !== undefined })
}

function bodyOf({ name, site, every_minutes, announces }: WireFeed, enabled: boolean): FeedBody {
  return { name, site, every_minutes, enabled, announces }
}

function FeedRow(props: {
  feed: WireFeed
  site: string
  onRun: () => void
  onSwitch: () => void
  onRemove: () => void
}) {
  const { feed } = props
  const text = words.value.feeds
  return (
    <RunRow
      row={feed}
      screen="feeds"
      state={stateOf(feed)}
      place={`${props.site} · ${feed.host === '' ? text.ownList : feed.host}`}
      text={text}
      tags={{ off: text.off, siteOff: text.siteOff }}
      run={text.look}
      onRun={props.onRun}
      onSwitch={props.onSwitch}
      onRemove={props.onRemove}
    >
      <span class="small">{text.counts(grouped(feed.found), grouped(feed.taken))}</span>
      {feed.last_item_at === undefined ? null : (
        <span class="small faint">
          {text.lastItem} <Moment seconds={feed.last_item_at} />
        </span>
      )}
      <span class="small">
        {feed.reason === undefined
          ? null
          : eachOf(feed.reason).map((reason) => (
              <span key={JSON.stringify(reason)} class="bad">
                <ReasonWords reason={reason} todo />{' '}
              </span>
            ))}
        <span class="faint">
          {feed.last_at === undefined ? (
            text.notYet
          ) : (
            <>
              {text.read} <Moment seconds={feed.last_at} />
            </>
          )}
        </span>
      </span>
    </RunRow>
  )
}

export function FeedsPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.feeds
  const known = useSites()
  const { settings: sites, labelOf } = known
  const feeds = useNamed(useResource('feeds', fetchFeeds, everyMs), known)
  const { failure, after, removing } = useActions<WireFeed>(feeds)
  const wider = useSignal<Wider | undefined>(undefined)

  if (form !== undefined)
    return (
      <FormScreen screen="feeds" form={form} of={feeds} listHash="#/feeds" text={text} goneBody={text.emptyBody}>
        {({ data: _, ...row }) => (
          <List
            of={sites}
            empty={
              <Empty title={text.noSites} body={text.noSitesBody}>
                <AddButton add="#/sites/new">{words.value.sites.add}</AddButton>
              </Empty>
            }
          >
            {({ items }) => <FeedForm {...row} sites={items.filter(({ search }) => search)} />}
          </List>
        )}
      </FormScreen>
    )
  const add = <AddButton add="#/feeds/new">{text.add}</AddButton>
  return (
    <Shell screen="feeds" title={words.value.screens.feeds} tools={add}>
      <p class="muted lead">{text.lead}</p>
      <FilterRules wider={wider} />
      <FailureNote failure={failure.value} />
      <section class="sec">
        <header>
          <h2>{text.feeds}</h2>
        </header>
        <List
          of={feeds}
          skeletonRows={2}
          empty={
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              {add}
            </Empty>
          }
        >
          {({ items }) => (
            <ul class="dls feeds">
              {items.map((feed) => (
                <FeedRow
                  key={feed.id}
                  feed={feed}
                  site={labelOf(feed.site)}
                  onRun={() => void runFeed(feed.id).then(after)}
                  onSwitch={() => void changeFeed(feed.id, bodyOf(feed, !feed.enabled)).then(after)}
                  onRemove={() => {
                    removing.value = feed
                  }}
                />
              ))}
            </ul>
          )}
        </List>
      </section>
      <FeedItems onWiden={into(wider)} />
      <ConfirmRemoval wanted={removing} text={text} remove={removeFeed} after={after} />
    </Shell>
  )
}
