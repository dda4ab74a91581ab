/** What turned up in feeds, what was decided about it, and why. */
import { useSignal } from '@preact/signals'
import type { IconName } from '#shared/pages/icon.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { into } from '#shared/pages/set.ts'
import type { WireFeedItem } from '../../contract/console-feeds.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import { fetchFeedItems } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { DecidedRow, WhyButton } from './decided-row.tsx'
import { SelectField } from './field.tsx'
import { Moment } from './figure.tsx'
import { List } from './loaded.tsx'
import { ReasonWords } from './reason.tsx'

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
}

/** A clause as a sentence: what was asked, and what was found. */
export function ClauseWords({ asked }: { asked: WireClause['asked'] }) {
  const text = words.value.feeds
  const { fields, operators } = words.value.rules
  if (asked.field === 'per_day') return <>{text.perDay(String(asked.value))}</>
  if (asked.field === 'same_release') return <>{text.sameRelease}</>
  return (
    <>
      {fields[asked.field]} {operators[asked.op]} <b>{valueWords(asked.value)}</b>
    </>
  )
}

function valueWords(value: string | number | boolean | readonly string[]): string {
  const { yes, no } = words.value.feeds
  if (typeof value === 'boolean') return value ? yes : no
  return typeof value === 'object' ? value.join(', ') : String(value)
}

const clauseMarks = { met: ['m-on', 'good'], unmet: ['m-bad', 'bad'], unknown: ['m-guess', 'faint'] } as const

function Why({ item }: { item: WireFeedItem }) {
  const isDecided = item.status !== 'left' && item.status !== 'waiting'
  return <Decision {...item} isDecided={isDecided} />
}

/** By which rule it was decided, and how each of its clauses came out. */
export function Decision(item: Pick<WireFeedItem, 'rule' | 'clauses' | 'reason'> & { isDecided: boolean }) {
  const text = words.value.feeds
  const { isDecided } = item
  return (
    <div class="why">
      <p class="small">{item.rule === '' ? text.freeOnly : isDecided ? text.by(item.rule) : text.nearest(item.rule)}</p>
      <ul class="small">
        {item.clauses.map((clause) => {
          const [mark, tone] = clauseMarks[clause.state]
          return (
            <li key={JSON.stringify(clause.asked)}>
              <span class={tone}>
                <Icon name={mark} small />
              </span>{' '}
              <span class="vh">{text.clauseStates[clause.state]}: </span>
              <ClauseWords asked={clause.asked} />
              <span class="faint">
                {' · '}
                {clause.found === undefined || clause.found === ''
                  ? text.clauseStates[clause.state]
                  : text.found(valueWords(clause.found))}
              </span>
            </li>
          )
        })}
      </ul>
      {item.reason === undefined ? null : (
        <p class="small bad">
          <ReasonWords reason={item.reason} todo />
        </p>
      )}
    </div>
  )
}

function Row({ item }: { item: WireFeedItem }) {
  const text = words.value.feeds
  const isOpen = useSignal(false)
  return (
    <DecidedRow
      mark={marks[item.status]}
      state={text.statuses[item.status]}
      title={item.title}
      size={item.size}
      about={
        <>
          {item.feed} · <Moment seconds={item.found_at} />
        </>
      }
      button={
        item.clauses.length === 0 && item.reason === undefined ? null : (
          <WhyButton
            title={item.title}
            words={text.why}
            isOpen={isOpen.value}
            onToggle={() => {
              isOpen.value = !isOpen.value
            }}
          />
        )
      }
    >
      {isOpen.value ? <Why item={item} /> : null}
    </DecidedRow>
  )
}

export function FeedItems() {
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
              <Row key={item.id} item={item} />
            ))}
          </ul>
        )}
      </List>
    </section>
  )
}
