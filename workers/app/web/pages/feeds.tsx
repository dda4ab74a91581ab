/** Feeds, the rules that judge what they bring, and what was decided. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { FeedBody, WireFeed } from '../../contract/console-feeds.ts'
import type { WireStoredRule } from '../../contract/console-rules.ts'
import {
  changeFeed,
  changeRule,
  fetchFeeds,
  fetchRules,
  fetchRulesText,
  orderRules,
  removeFeed,
  removeRule,
  runFeed,
} from '../api/automation.ts'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { FeedForm } from '../components/feed-form.tsx'
import { FeedItems } from '../components/feed-items.tsx'
import { Moment } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { AddButton } from '../components/list-screen.tsx'
import { List } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { OrderedRules } from '../components/ordered-rules.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RulesText } from '../components/rules-text.tsx'
import { RunRow, type RunState, runState } from '../components/run-row.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { eachOf } from '../model/reasons.ts'
import { siteLabel } from '../model/site-board.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

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

function Rules() {
  const text = words.value.rules
  const rules = useResource('rules', fetchRules)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const { failure, after, removing } = useActions<WireStoredRule>(rules)

  function placeOf({ downloader_id: id, category, tags, save_path }: WireStoredRule['rule']['target']): string {
    const named = downloaders.state.value.data?.items.find((one) => one.id === id)?.name
    const downloader = id === 0 ? text.defaultDownloader : (named ?? `#${id}`)
    return [downloader, category, ...tags, save_path].filter((part) => part !== '').join(' · ')
  }
  const written = useSignal<string | undefined>(undefined)

  async function write(): Promise<void> {
    const answer = await fetchRulesText()
    if (answer.ok) written.value = answer.value.text
    else await after(answer)
  }

  if (written.value !== undefined)
    return (
      <section class="sec">
        <header>
          <h2>{text.rules}</h2>
        </header>
        <RulesText
          text={written.value}
          onSaved={() => {
            written.value = undefined
            void rules.reload()
          }}
          onLeave={() => {
            written.value = undefined
          }}
        />
      </section>
    )

  return (
    <section class="sec">
      <header class="head-row">
        <h2>{text.rules}</h2>
        <span class="end btns">
          <button class="btn quiet" type="button" onClick={() => void write()}>
            {text.editText}
          </button>
          <a class="btn" href="#/rules/new">
            <Icon name="plus" />
            {text.add}
          </a>
        </span>
      </header>
      <FailureNote failure={failure.value} />
      <List of={rules} skeletonRows={2} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
        {({ items }) => (
          <>
            <OrderedRules
              items={items}
              formHash="#/rules/"
              actionOf={({ rule }) => text.actions[rule.action]}
              placeOf={({ rule }) => (rule.action === 'take' ? placeOf(rule.target) : undefined)}
              countOf={({ taken }) => text.taken(grouped(taken))}
              onOrder={(ids) => void orderRules(ids).then(after)}
              onSwitch={({ id, name, enabled, rule }) =>
                void changeRule(id, { name, enabled: !enabled, rule }).then(after)
              }
              onRemove={(rule) => {
                removing.value = rule
              }}
            />
            <p class="faint small">{text.otherwise}</p>
          </>
        )}
      </List>
      <ConfirmRemoval wanted={removing} text={text} remove={removeRule} after={after} />
    </section>
  )
}

export function FeedsPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.feeds
  const feeds = useResource('feeds', fetchFeeds, everyMs)
  const sites = useResource('site-settings', fetchSiteSettings)
  const { failure, after, removing } = useActions<WireFeed>(feeds)
  const known = sites.state.value.data?.items
  const labelOf = (name: string) => {
    const site = known?.find((one) => one.name === name)
    return site === undefined ? name : siteLabel(site)
  }

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
      <Rules />
      <FeedItems />
      <ConfirmRemoval wanted={removing} text={text} remove={removeFeed} after={after} />
    </Shell>
  )
}
