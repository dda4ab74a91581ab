/** What is on the watchlists, what came of it, and what only the owner knows. */
import { useSignal } from '@preact/signals'
import { SelectField } from '#shared/pages/field.tsx'
import type { WireWatchlistItem } from '../../contract/console-watchlists.ts'
import { watchlistStatuses } from '../../core/vocabulary.ts'
import { chooseWatchlistTitle, fetchWatchlistItems, leaveWatchlistItem } from '../api/watchlists.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { Moment } from './figure.tsx'
import { List } from './loaded.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'

const everyMs = 10_000
const open = new Set<WireWatchlistItem['status']>(['unclear', 'unknown', 'failed', 'seen'])

function Row(props: {
  item: WireWatchlistItem
  onChoose: (choice: WireWatchlistItem['choices'][number]) => void
  onLeave: () => void
}) {
  const { item } = props
  const text = words.value.watchlists
  const tone = item.status === 'added' ? 'tag acc' : item.status === 'failed' ? 'tag bad' : 'tag'
  return (
    <li>
      <span class="grow">
        <b>{item.title}</b> {item.year} {item.season === undefined ? null : text.season(String(item.season))}
        <span class="s">
          {item.list} · <Moment seconds={item.decided_at} />
          {item.reason === undefined ? null : (
            <>
              {' · '}
              <ReasonWords reason={item.reason} todo />
            </>
          )}
        </span>
        {item.choices.length === 0 ? null : (
          <span class="btns">
            {item.choices.map((choice) => (
              <button
                key={`${choice.media_type} ${choice.tmdb_id}`}
                class="btn quiet"
                type="button"
                onClick={() => props.onChoose(choice)}
              >
                {choice.title} {choice.year}
              </button>
            ))}
          </span>
        )}
      </span>
      {item.subscription_id === undefined ? (
        <span class={tone}>{text.statuses[item.status]}</span>
      ) : (
        <a class="link" href={`#/subscriptions/${item.subscription_id}`}>
          {text.statuses[item.status]}
        </a>
      )}
      {open.has(item.status) ? (
        <button class="btn quiet" type="button" aria-label={`${text.leave} ${item.title}`} onClick={props.onLeave}>
          {text.leave}
        </button>
      ) : null}
    </li>
  )
}

export function WatchlistItems() {
  const text = words.value.watchlists
  const status = useSignal<WireWatchlistItem['status'] | ''>('')
  const items = useResource(
    `watchlist-items ${status.value}`,
    (signal) => fetchWatchlistItems(status.peek(), signal),
    everyMs,
  )
  const { failure, after } = useActions<WireWatchlistItem & { readonly name: string }>(items)
  return (
    <section class="sec">
      <header class="head-row">
        <h2>{text.items}</h2>
        <SelectField
          label={text.status}
          value={status.value}
          options={[
            { value: '', label: text.anyStatus },
            ...watchlistStatuses.map((value) => ({ value, label: text.statuses[value] })),
          ]}
          onChoose={(chosen) => {
            status.value = watchlistStatuses.find((one) => one === chosen) ?? ''
          }}
        />
      </header>
      <FailureNote failure={failure.value} />
      <List of={items} empty={<p class="faint">{text.noItems}</p>}>
        {(data) => (
          <ul class="rows watched">
            {data.items.map((item) => (
              <Row
                key={item.id}
                item={item}
                onChoose={(choice) => void chooseWatchlistTitle(item.id, choice).then(after)}
                onLeave={() => void leaveWatchlistItem(item.id).then(after)}
              />
            ))}
          </ul>
        )}
      </List>
    </section>
  )
}
