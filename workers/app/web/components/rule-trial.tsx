import type { RuleTrial } from '../../contract/console-rules.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, differenceText, grouped, joined } from '../model/amounts.ts'
import { momentText } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { Decision } from './clauses.tsx'
import { DecidedRow } from './decided-row.tsx'
import { Fig, Figure, Moment } from './figure.tsx'
import { FailureNote } from './note.tsx'

type Changed = RuleTrial['changed'][number]
type Share = RuleTrial['rules'][number]

/** What one rule would take, and how much more or less that is than as stored. */
export function shareText({ stored, tried }: Share): string {
  const text = words.value.rules
  const more = stored === undefined ? '' : differenceText(tried.taken - stored.taken)
  return text.share(grouped(tried.taken), more, grouped(tried.billed))
}

function ChangedRow({ of: one }: { of: Changed }) {
  const text = words.value.rules
  return (
    <DecidedRow
      mark={one.tried.act === 'take' ? ['m-on', 'acc'] : ['m-off', 'faint']}
      state={`${text.acts[one.stored.act]} → ${text.acts[one.tried.act]}`}
      title={one.title}
      size={one.size}
      about={
        <>
          {one.feed === '' ? one.site : one.feed} · <Moment seconds={one.at} />
        </>
      }
      was={one}
      why={() =>
        (
          [
            [text.withChange, one.tried],
            [text.asStored, one.stored],
          ] as const
        ).map(([title, { act, rule, clauses }]) => (
          <section key={title}>
            <h3>
              {title}: {text.acts[act]}
            </h3>
            {clauses.length === 0 ? null : (
              <Decision
                rule={rule}
                clauses={clauses}
                reason={undefined}
                isDecided={act !== 'leave' && act !== 'wait'}
              />
            )}
          </section>
        ))
      }
    />
  )
}

/** What the rules with this one would have done, beside what the stored ones would. */
export function RuleTrialFigures({ trial, byRule }: { trial: Answer<RuleTrial>; byRule?: boolean }) {
  const text = words.value.rules
  if (!trial.ok) return <FailureNote failure={trial.failure} />
  const { judged, stored, tried, rules, changed } = trial.value
  return (
    <section class="sec" role="status">
      <h3>{text.tried(grouped(judged))}</h3>
      <dl class="figures">
        <Fig name={text.would.take} beside={text.withStored(grouped(stored.taken))}>
          {grouped(tried.taken)}
        </Fig>
        <Fig name={text.would.bill} beside={text.withStored(grouped(stored.billed))}>
          {grouped(tried.billed)}
        </Fig>
        <Fig name={text.would.size} beside={text.withStored(joined(bytesAmount(stored.size)))}>
          <Figure amount={bytesAmount(tried.size)} />
        </Fig>
        <Fig name={text.would.leave} beside={text.withStored(grouped(stored.left))}>
          {grouped(tried.left)}
        </Fig>
        {tried.busiest === undefined ? null : (
          <Fig
            name={text.would.busiest}
            beside={text.busiest(
              joined(bytesAmount(tried.busiest.size)),
              momentText(tried.busiest.until, Date.now() / 1000, language.value),
            )}
          >
            {grouped(tried.busiest.taken)}
          </Fig>
        )}
      </dl>
      {tried.unsized === 0 ? null : <p class="small">{text.unsized(grouped(tried.unsized))}</p>}
      {byRule === true && rules.length > 0 ? (
        <ul class="rows small">
          {rules.map((one) => (
            <li key={one.id}>
              <span class="grow">{one.name === '' ? text.thisOne : one.name}</span>
              <span class="faint">{shareText(one)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {changed.length === 0 ? null : (
        <>
          <h4 class="pad">{text.changed}</h4>
          <ul class="dls">
            {changed.map((one) => (
              <ChangedRow key={`${one.site} ${one.torrent_id}`} of={one} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
