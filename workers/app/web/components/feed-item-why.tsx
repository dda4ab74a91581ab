/** Of what turned up: why it came to that, what the other rules make of it, and a push of it all the same. */
import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireFeedItem, WireOtherRules } from '../../contract/console-feed-items.ts'
import { overrulable } from '../../core/vocabulary.ts'
import { pushTitleCharactersMax } from '../../limits.ts'
import { askOtherRules, pushFeedItem } from '../api/automation.ts'
import { reasonSentence, words } from '../locales/words.ts'
import { cut, type PushResult, pushResult } from '../model/push.ts'
import { useResource } from '../resource.ts'
import { ClauseRow, ClauseWords, Decision, foundWords } from './clauses.tsx'
import { Confirm } from './confirm.tsx'
import { Loaded } from './loaded.tsx'
import { OutcomeRow } from './outcome-row.tsx'
import { Gates } from './push-why.tsx'
import { PushWords } from './push-words.tsx'

function Other({ of: { name, enabled, clause } }: { of: WireOtherRules['items'][number] }) {
  const text = words.value
  return (
    <li>
      <span class="faint">
        <Icon name={clause === undefined && enabled ? 'm-done' : 'm-off'} small />
      </span>
      <span class="grow">
        {name}
        <span class="s">
          {!enabled ? (
            text.rules.off
          ) : clause === undefined ? (
            text.feeds.otherFits
          ) : (
            <>
              <ClauseWords asked={clause.asked} /> · {foundWords(clause)}
            </>
          )}
        </span>
      </span>
    </li>
  )
}

function PushAnyway({
  item,
  target,
  onPushed,
  children,
}: {
  item: WireFeedItem
  target: WireOtherRules['target']
  onPushed: () => void
  /** What else may be done about it. */
  children: ComponentChildren
}) {
  const text = words.value.feeds
  const isAsked = useSignal(false)
  const busy = useSignal(false)
  const result = useSignal<PushResult | undefined>(undefined)
  const { tags, ...place } = target

  async function push(): Promise<void> {
    busy.value = true
    const { downloader_id, category, save_path } = place
    const body = { decided_at: item.decided_at, downloader_id, category, tags: tags.join(','), save_path }
    result.value = pushResult(item, await pushFeedItem(item.id, body))
    busy.value = false
    isAsked.value = false
    onPushed()
  }

  const told = result.value
  return (
    <>
      <div role="status">
        {told === undefined ? null : (
          <ul class="rows small">
            <OutcomeRow outcome={told.outcome} title={told.title}>
              <PushWords of={told} />
            </OutcomeRow>
          </ul>
        )}
      </div>
      {told?.outcome === 'pushed' || told?.outcome === 'skipped' ? null : (
        <div class="btns">
          {children}
          <button class="btn" type="button" onClick={setting(isAsked, true)}>
            {text.pushAnyway}
          </button>
        </div>
      )}
      {isAsked.value ? (
        <Confirm
          title={text.pushAnywayTitle}
          body={text.pushAnywayBody(reasonSentence({ kind: 'push.overruled', rule: item.rule, decided: item.status }))}
          action={text.doPush}
          busy={busy.value}
          onCancel={setting(isAsked, false)}
          onConfirm={() => void push()}
        >
          <p class="brk mono small">{item.title}</p>
          <ul class="rows small">
            {item.clauses.flatMap((clause) =>
              clause.state === 'met' ? [] : [<ClauseRow key={JSON.stringify(clause.asked)} of={clause} />],
            )}
          </ul>
          <Gates
            body={{
              ...{ site: item.site, torrent_id: item.torrent_id, size: item.size, downloader_id: place.downloader_id },
              title: cut(item.title, pushTitleCharactersMax),
              save_path: place.save_path === '' ? undefined : place.save_path,
            }}
          />
        </Confirm>
      ) : null}
    </>
  )
}

export type Wider = NonNullable<WireOtherRules['wider']>

/** What the nearest rule would ask to take it; its owner sees what else that would take, and keeps it or not. */
function Widen({ by: { changed }, onWiden }: { by: Wider; onWiden: () => void }) {
  const text = words.value.feeds
  return (
    <button class="btn" type="button" onClick={onWiden}>
      <span>
        {text.makeIt}{' '}
        {changed.map(({ was, now }, at) => (
          <Fragment key={JSON.stringify(was)}>
            {at === 0 ? null : ' · '}
            {now === undefined ? text.without : null} <ClauseWords asked={now ?? was} />
          </Fragment>
        ))}
      </span>
    </button>
  )
}

export function FeedItemWhy({
  item,
  onPushed,
  onWiden,
}: {
  item: WireFeedItem
  onPushed: () => void
  onWiden: (by: Wider) => void
}) {
  const text = words.value.feeds
  const { id, status } = item
  const others = useResource(`others ${id}`, (signal) => askOtherRules(id, signal))
  const isDecided = status !== 'left' && status !== 'waiting' && status !== 'overruled'
  return (
    <>
      <Decision {...item} isDecided={isDecided} />
      <Loaded of={others} skeletonRows={2} own>
        {({ items, target, wider }) => (
          <>
            {overrulable.includes(status) ? (
              <PushAnyway key={id} item={item} target={target} onPushed={onPushed}>
                {wider === undefined ? null : <Widen by={wider} onWiden={() => onWiden(wider)} />}
              </PushAnyway>
            ) : null}
            {items.length === 0 ? null : (
              <>
                <h3>{text.others}</h3>
                <p class="small faint">{text.othersHint}</p>
                <ul class="rows small">
                  {items.map((one) => (
                    <Other key={one.id} of={one} />
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
