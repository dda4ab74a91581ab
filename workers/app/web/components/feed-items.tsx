/** What turned up in feeds, what was decided about it, and why. */
import { useSignal } from '@preact/signals'
import { SelectField } from '#shared/pages/field.tsx'
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { into } from '#shared/pages/set.ts'
import type { WireFeedItem } from '../../contract/console-feed-items.ts'
import { fetchFeedItems } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { DecidedRow } from './decided-row.tsx'
import { FeedItemWhy, type Wider } from './feed-item-why.tsx'
import { Moment } from './figure.tsx'
import { List } from './loaded.tsx'

const everyMs = 10_000

const marks: Readonly<Record<WireFeedItem['status'], readonly [IconName, string]>> = {
  seen: ['m-off', 'faint'],
  left: ['m-off', 'faint'],
  waiting: ['m-part', 'faint'],
  taking: ['m-part', 'acc'],
  taken: ['m-done', 'good'],
  present: ['m-done', 'faint'],
  told: ['m-on', 'acc'],
  skipped: ['m-off', 'warn'],
  failed: ['m-bad', 'bad'],
  overruled: ['m-done', 'good'],
}

function Row({ item, ...on }: { item: WireFeedItem; onPushed: () => void; onWiden: (by: Wider) => void }) {
  return (
    <DecidedRow
      mark={marks[item.status]}
      state={words.value.feeds.statuses[item.status]}
      title={item.title}
      size={item.size}
      about={
        <>
          {item.feed} · <Moment seconds={item.found_at} />
        </>
      }
      was={item}
      why={
        item.clauses.length === 0 && item.reason === undefined ? undefined : () => <FeedItemWhy item={item} {...on} />
      }
    />
  )
}

export function FeedItems({ onWiden }: { onWiden: (by: Wider) => void }) {
  const text = words.value.feeds
  const status = useSignal('')
  const query = status.value === '' ? '' : `?status=${status.value}`
  const items = useResource(`feed-items ${query}`, (signal) => fetchFeedItems(query, signal), everyMs)
  return (
    <section class="sec">
      <header class="head-row">
        <h2>{text.decided}</h2>
        <SelectField
          label={text.show}
          value={status.value}
          options={[
            { value: '', label: text.all },
            ...(Object.keys(marks) as WireFeedItem['status'][]).map((one) => ({
              value: one,
              label: text.statuses[one],
            })),
          ]}
          onChoose={into(status)}
        />
      </header>
      <List of={items} skeletonRows={3} empty={<Empty title={text.noneDecided} body={text.noneDecidedBody} />}>
        {({ items: shown }) => (
          <ul class="dls">
            {shown.map((item) => (
              <Row key={item.id} item={item} onPushed={() => void items.reload()} onWiden={onWiden} />
            ))}
          </ul>
        )}
      </List>
    </section>
  )
}
