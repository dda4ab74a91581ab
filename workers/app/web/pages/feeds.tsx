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
import { fetchSiteSettings } from '../api/sites.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { FeedForm } from '../components/feed-form.tsx'
import { ClauseWords, FeedItems } from '../components/feed-items.tsx'
import { Moment } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { AddButton } from '../components/list-screen.tsx'
import { List } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RowButtons } from '../components/row-buttons.tsx'
import { RulesText } from '../components/rules-text.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { eachOf } from '../model/reasons.ts'
import { siteLabel } from '../model/site-board.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'

const everyMs = 5000

const marks = {
  on: ['m-on', 'good'],
  failed: ['m-bad', 'bad'],
  off: ['m-off', 'faint'],
  untried: ['m-guess', 'faint'],
} as const

function stateOf({ enabled, site_enabled, last_at, reason }: WireFeed): keyof typeof marks {
  if (!enabled || !site_enabled) return 'off'
  if (reason !== undefined) return 'failed'
  return last_at === undefined ? 'untried' : 'on'
}

function bodyOf({ name, site, every_minutes }: WireFeed, enabled: boolean): FeedBody {
  return { name, site, every_minutes, enabled }
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
  const state = stateOf(feed)
  const [mark, tone] = marks[state]
  return (
    <li class={state === 'off' ? 'dl off' : 'dl'}>
      <div class="dl-h">
        <span class={tone}>
          <Icon name={mark} />
        </span>
        <span class="vh">{text.states[state]}</span>
        <a href={`#/feeds/${feed.id}`}>
          <b>{feed.name}</b>
        </a>
        <span class="faint cut">
          {props.site} · {feed.host === '' ? text.ownList : feed.host}
        </span>
        {feed.enabled ? null : <span class="tag guess">{text.off}</span>}
        {feed.site_enabled ? null : <span class="tag guess">{text.siteOff}</span>}
      </div>
      <div class="dl-b">
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
      </div>
      <RowButtons
        name={feed.name}
        text={text}
        onSwitch={{ isOn: feed.enabled, act: props.onSwitch }}
        onRemove={props.onRemove}
      >
        <button
          class="btn"
          type="button"
          disabled={!feed.enabled}
          aria-label={`${text.look} ${feed.name}`}
          onClick={props.onRun}
        >
          <Icon name="play" />
          {text.look}
        </button>
      </RowButtons>
    </li>
  )
}

function RuleRow(props: {
  rule: WireStoredRule
  at: number
  count: number
  onMove: (by: -1 | 1) => void
  onSwitch: () => void
  onRemove: () => void
}) {
  const { rule, at } = props
  const text = words.value.rules
  return (
    <li class={rule.enabled ? 'dl' : 'dl off'}>
      <div class="dl-h">
        <span class="num faint">{at + 1}</span>
        <a href={`#/rules/${rule.id}`}>
          <b>{rule.name}</b>
        </a>
        <span class="tag">{text.actions[rule.rule.action]}</span>
        {rule.enabled ? null : <span class="tag guess">{text.off}</span>}
        <span class="faint small">{text.taken(grouped(rule.taken))}</span>
      </div>
      <div class="dl-b small muted">
        {rule.rule.conditions.map((condition) => (
          <span key={JSON.stringify(condition)}>
            <ClauseWords asked={condition} />
          </span>
        ))}
      </div>
      <RowButtons
        name={rule.name}
        text={text}
        onSwitch={{ isOn: rule.enabled, act: props.onSwitch }}
        onRemove={props.onRemove}
      >
        {([-1, 1] as const).map((by) => (
          <button
            key={by}
            class="btn quiet icon"
            type="button"
            disabled={by === -1 ? at === 0 : at === props.count - 1}
            aria-label={by === -1 ? text.earlier(rule.name) : text.later(rule.name)}
            onClick={() => props.onMove(by)}
          >
            <Icon name={by === -1 ? 'up' : 'down'} />
          </button>
        ))}
      </RowButtons>
    </li>
  )
}

function Rules() {
  const text = words.value.rules
  const rules = useResource('rules', fetchRules)
  const { failure, after, removing } = useAfter<WireStoredRule>(rules)
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

  function move(items: readonly WireStoredRule[], at: number, by: -1 | 1): void {
    const ids = items.map(({ id }) => id)
    const [moved] = ids.splice(at, 1)
    if (moved === undefined) return
    ids.splice(at + by, 0, moved)
    void orderRules(ids).then(after)
  }

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
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <List of={rules} skeletonRows={2} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
        {({ items }) => (
          <>
            <ol class="dls rules">
              {items.map((rule, at) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  at={at}
                  count={items.length}
                  onMove={(by) => move(items, at, by)}
                  onSwitch={() =>
                    void changeRule(rule.id, { name: rule.name, enabled: !rule.enabled, rule: rule.rule }).then(after)
                  }
                  onRemove={() => {
                    removing.value = rule
                  }}
                />
              ))}
            </ol>
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
  const { failure, after, removing } = useAfter<WireFeed>(feeds)
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
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
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
