/** Torrents that are due to be ended, and those that were, each with its reason. */
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireEnd, WireEndTrial } from '../../contract/console-ends.ts'
import { fetchEnds } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useNamed, useSites } from '../use-sites.ts'
import { Decision } from './clauses.tsx'
import { DecidedRow } from './decided-row.tsx'
import { Moment } from './figure.tsx'
import { List } from './loaded.tsx'

const everyMs = 10_000

const marks: Readonly<Record<WireEnd['status'], readonly [IconName, string]>> = {
  due: ['m-part', 'warn'],
  ending: ['m-part', 'acc'],
  ended: ['m-off', 'faint'],
  failed: ['m-bad', 'bad'],
}

type Shown = WireEndTrial['items'][number] & Partial<Pick<WireEnd, 'status' | 'decided_at' | 'reason'>>

/** One of them; without a status, what a rule that is only tried would do. */
export function EndDecision({ item, site }: { item: Shown; site?: string | undefined }) {
  const text = words.value.ends
  const { status } = item
  return (
    <DecidedRow
      mark={marks[status ?? 'due']}
      state={status === undefined || status === 'due' ? text.due[item.action] : text.statuses[status]}
      title={item.title}
      size={item.size}
      about={
        <>
          {item.downloader}
          {site === undefined ? null : ` · ${site}`}
          {item.decided_at === undefined ? null : (
            <>
              {' · '}
              <Moment seconds={item.decided_at} />
            </>
          )}
        </>
      }
      why={() => <Decision rule={item.rule} clauses={item.clauses} reason={item.reason} isDecided />}
    />
  )
}

export function EndItems() {
  const text = words.value.ends
  const sites = useSites()
  const items = useNamed(useResource('torrent-ends', fetchEnds, everyMs), sites)
  return (
    <section class="sec">
      <header>
        <h2>{text.decided}</h2>
      </header>
      <List of={items} skeletonRows={3} empty={<Empty title={text.noneDecided} body={text.noneDecidedBody} />}>
        {({ items: shown }) => (
          <ul class="dls">
            {shown.map((item) => (
              <EndDecision
                key={item.id}
                item={item}
                site={item.site === undefined ? undefined : sites.labelOf(item.site)}
              />
            ))}
          </ul>
        )}
      </List>
    </section>
  )
}
