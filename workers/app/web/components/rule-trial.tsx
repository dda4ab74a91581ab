import type { RuleTrial } from '../../contract/console-rules.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { FailureNote } from './note.tsx'

/** What the rules with this one would have done, beside what the stored ones would. */
export function RuleTrialFigures({ trial }: { trial: Answer<RuleTrial> }) {
  const text = words.value.rules
  if (!trial.ok) return <FailureNote failure={trial.failure} />
  const { judged, stored, tried, changed } = trial.value
  const size = (bytes: number) => joined(bytesAmount(bytes))
  return (
    <section class="sec" role="status">
      <h3>{text.tried(grouped(judged))}</h3>
      <ul class="small">
        <li>{text.wouldTake(grouped(stored.taken), grouped(tried.taken))}</li>
        <li>{text.wouldBill(grouped(stored.billed), grouped(tried.billed))}</li>
        <li>{text.wouldSize(size(stored.size), size(tried.size))}</li>
        {tried.unsized === 0 ? null : <li>{text.unsized(grouped(tried.unsized))}</li>}
      </ul>
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
