import type { WireProfileTrial } from '../../contract/console-subscriptions.ts'
import type { Answer } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { FailureNote } from './note.tsx'

type Changed = WireProfileTrial['changed'][number]

function Chosen({ label, releases }: { label: string; releases: Changed['tried'] }) {
  const text = words.value.profiles
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {releases.length === 0 ? (
          <span class="faint">{text.nothingChosen}</span>
        ) : (
          <ul class="rows names small">
            {releases.map((one) => (
              <li key={`${one.site} ${one.title}`}>
                <span class="brk">{one.title}</span>{' '}
                <span class="faint">
                  {[
                    one.site,
                    ...(one.size === undefined ? [] : [joined(bytesAmount(one.size))]),
                    one.against === undefined ? text.another : text.against[one.against],
                  ].join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  )
}

/** What a profile would have chosen beside the present one, and what the other one has against each. */
export function ProfileTrial({ trial }: { trial: Answer<WireProfileTrial> }) {
  const text = words.value.profiles
  if (!trial.ok) return <FailureNote failure={trial.failure} />
  const { judged, subscriptions, compared, stored, tried, changed } = trial.value
  const size = (bytes: number) => joined(bytesAmount(bytes))
  if (subscriptions === 0)
    return (
      <p class="small" role="status">
        {text.triedNobody}
      </p>
    )
  return (
    <section class="sec" role="status">
      <h2>{text.tried(grouped(judged), grouped(compared), grouped(subscriptions))}</h2>
      <p class="faint small">{text.triedAsIf}</p>
      <ul class="small">
        <li>{text.wouldChoose(grouped(stored.chosen), grouped(tried.chosen))}</li>
        <li>{text.wouldSize(size(stored.size), size(tried.size))}</li>
      </ul>
      {changed.length === 0 ? (
        <p class="small">{text.sameChoice}</p>
      ) : (
        <>
          <h3>{text.otherChoice}</h3>
          {changed.map((one) => (
            <div key={one.id}>
              <p>
                <a class="link" href={`#/subscriptions/${one.id}`}>
                  {one.title}
                </a>
                {one.season === 0 ? null : (
                  <span class="faint small"> {words.value.subscriptions.season(one.season)}</span>
                )}
              </p>
              <dl class="kv small">
                <Chosen label={text.asItIs} releases={one.stored} />
                <Chosen label={text.withThis} releases={one.tried} />
              </dl>
            </div>
          ))}
        </>
      )}
    </section>
  )
}
