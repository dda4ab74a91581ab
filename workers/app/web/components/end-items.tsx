/** Torrents that are due to be ended, and those that were, each with its reason. */
import { useSignal } from '@preact/signals'
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireEnd, WireEndTrial } from '../../contract/console-ends.ts'
import { fetchEnds } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { Decision } from './feed-items.tsx'
import { Figure, Moment } from './figure.tsx'
import { List } from './loaded.tsx'
import { StateMark } from './state-mark.tsx'
import { Name } from './torrent-name.tsx'

const everyMs = 10_000

const marks: Readonly<Record<WireEnd['status'], readonly [IconName, string]>> = {
  due: ['m-part', 'warn'],
  ending: ['m-part', 'acc'],
  ended: ['m-off', 'faint'],
  failed: ['m-bad', 'bad'],
}

type Shown = WireEndTrial['items'][number] & Partial<Pick<WireEnd, 'status' | 'site' | 'decided_at' | 'reason'>>

/** One of them; without a status, what a rule that is only tried would do. */
export function EndDecision({ item }: { item: Shown }) {
  const text = words.value.ends
  const isOpen = useSignal(false)
  const [mark, tone] = marks[item.status ?? 'due']
  const { why } = words.value.feeds
  return (
    <li class="decided">
      <div class="dl-h">
        <StateMark mark={mark} tone={tone}>
          {item.status === undefined || item.status === 'due' ? text.due[item.action] : text.statuses[item.status]}
        </StateMark>
        <span class="grow">
          <Name name={item.title} />
        </span>
        <span class="num small">
          <Figure amount={bytesAmount(item.size)} />
        </span>
        <span class="faint small">
          {item.downloader}
          {item.site === undefined ? null : ` · ${item.site}`}
          {item.decided_at === undefined ? null : (
            <>
              {' · '}
              <Moment seconds={item.decided_at} />
            </>
          )}
        </span>
        <button
          class="btn quiet"
          type="button"
          aria-expanded={isOpen.value}
          aria-label={`${why} ${item.title}`}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {why}
        </button>
      </div>
      {isOpen.value ? <Decision rule={item.rule} clauses={item.clauses} reason={item.reason} isDecided /> : null}
    </li>
  )
}

export function EndItems() {
  const text = words.value.ends
  const items = useResource('torrent-ends', fetchEnds, everyMs)
  return (
    <section class="sec">
      <header>
        <h2>{text.decided}</h2>
      </header>
      <List of={items} skeletonRows={3} empty={<Empty title={text.noneDecided} body={text.noneDecidedBody} />}>
        {({ items: shown }) => (
          <ul class="dls">
            {shown.map((item) => (
              <EndDecision key={item.id} item={item} />
            ))}
          </ul>
        )}
      </List>
    </section>
  )
}
