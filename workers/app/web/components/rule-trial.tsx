import type { RuleTrial } from '../../contract/console-rules.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { Fig, Figure } from './figure.tsx'
import { FailureNote } from './note.tsx'

/** What the rules with this one would have done, beside what the stored ones would. */
export function RuleTrialFigures({ trial }: { trial: Answer<RuleTrial> }) {
  const text = words.value.rules
  if (!trial.ok) return <FailureNote failure={trial.failure} />
  const { judged, stored, tried, changed } = trial.value
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
      </dl>
      {tried.unsized === 0 ? null : <p class="small">{text.unsized(grouped(tried.unsized))}</p>}
      {changed.length === 0 ? null : (
        <>
          <h4>{text.changed}</h4>
          <ul class="small">
            {changed.map((one) => (
              <li key={`${one.site} ${one.title}`}>
                {text.acts[one.stored]} → <b>{text.acts[one.tried]}</b>: {one.title}{' '}
                <span class="faint">{one.site}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
