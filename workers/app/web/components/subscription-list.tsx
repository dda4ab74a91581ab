/** Subscriptions, newest first. On phones a screen of its own. */
import type { WireSubscription } from '../../contract/subscriptions.ts'
import { words } from '../locales/words.ts'
import { type SubscriptionQuery, subscriptionHash } from '../model/subscription-query.ts'
import { langOf } from '../model/title-language.ts'
import { Poster } from './poster.tsx'
import { ProgressMeter, Standing, SubscriptionState, subscriptionFacts } from './subscription-parts.tsx'

function Row({ one, query, isOpen }: { one: WireSubscription; query: SubscriptionQuery; isOpen: boolean }) {
  const { total, in_library: held } = one.progress
  return (
    <li>
      <a class="row-open" href={subscriptionHash({ ...query, id: one.id })} aria-current={isOpen ? 'page' : undefined}>
        <Poster path={one.poster_path} title={one.title} />
        <span class="grow">
          <span class="sb-h">
            <b class="cut" lang={langOf(one.title)}>
              {one.title}
            </b>
            <SubscriptionState status={one.status} />
          </span>
          <span class="faint small cut">{subscriptionFacts(one)}</span>
          <span class="sb-p">
            <ProgressMeter progress={one.progress} />
            <span class="num small" aria-hidden="true">
              {total === 0 ? '—' : `${held} / ${total}`}
            </span>
            <span class="vh">{words.value.subscriptions.progress(held, total)}</span>
          </span>
          <span class="small cut">
            <Standing subscription={one} />
          </span>
        </span>
      </a>
    </li>
  )
}

export function SubscriptionList(props: {
  items: readonly WireSubscription[]
  query: SubscriptionQuery
  current: number | undefined
  isBusy: boolean
}) {
  return (
    <ul aria-busy={props.isBusy ? 'true' : undefined}>
      {props.items.map((one) => (
        <Row key={one.id} one={one} query={props.query} isOpen={one.id === props.current} />
      ))}
    </ul>
  )
}
