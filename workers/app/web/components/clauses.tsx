/** What a rule asked of a torrent, and how that came out. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireFeedItem } from '../../contract/console-feed-items.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import { words } from '../locales/words.ts'
import { ReasonWords } from './reason.tsx'

/** A clause as a sentence: what was asked. */
export function ClauseWords({ asked }: { asked: WireClause['asked'] }) {
  const text = words.value.feeds
  const { fields, operators } = words.value.rules
  if (asked.field === 'per_day' || asked.field === 'per_day_gib')
    return <>{text.perDay(String(asked.value), asked.field === 'per_day')}</>
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

const marks = { met: ['m-done', 'good'], unmet: ['m-bad', 'bad'], unknown: ['m-guess', 'faint'] } as const

/** What was found of it and where that was read, or why nothing was. */
export function foundWords({ found, from, lack, state, now }: WireClause): string {
  const text = words.value.feeds
  const source = [...(from === undefined ? [] : [text.factSources[from]]), ...(now ? [text.asOfNow] : [])]
  if (found !== undefined && found !== '') return [text.found(valueWords(found)), ...source].join(' · ')
  if (source.length > 0) return [text.clauseStates[state], ...source].join(' · ')
  const why = lack === undefined ? text.clauseStates.unknown : text.lacks[lack]
  return state === 'met' ? `${why} · ${text.countsAsMet}` : why
}

export function ClauseRow({ of: clause }: { of: WireClause }) {
  const [mark, tone] = marks[clause.state]
  return (
    <li>
      <span class={tone}>
        <Icon name={mark} small />
      </span>
      <span class="grow">
        <span class="vh">{words.value.feeds.clauseStates[clause.state]}: </span>
        <ClauseWords asked={clause.asked} />
        <span class="s">{foundWords(clause)}</span>
      </span>
    </li>
  )
}

/** By which rule it was decided, and how each of its clauses came out. */
export function Decision(item: Pick<WireFeedItem, 'rule' | 'clauses' | 'reason'> & { isDecided: boolean }) {
  const text = words.value.feeds
  const { isDecided, clauses } = item
  const lacking = clauses.filter(({ state }) => state !== 'met').length
  return (
    <div class="why">
      <p class="small">
        {item.rule === '' ? text.freeOnly : isDecided ? text.by(item.rule) : text.nearest(item.rule)}
        {isDecided || clauses.length === 0 ? null : ` · ${text.lacking(lacking, clauses.length)}`}
      </p>
      <ul class="rows small">
        {clauses.map((clause) => (
          <ClauseRow key={JSON.stringify(clause.asked)} of={clause} />
        ))}
      </ul>
      {item.reason === undefined ? null : (
        <p class="small bad">
          <ReasonWords reason={item.reason} todo />
        </p>
      )}
    </div>
  )
}
