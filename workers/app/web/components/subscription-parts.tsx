/** What is shown of a subscription in more than one place. */

import type { IconName } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireSubscription } from '../../contract/subscriptions.ts'
import type { ApiFailure } from '../api/call.ts'
import { words } from '../locales/words.ts'
import { progressShares, standingOf } from '../model/subscription-facts.ts'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { StateMark } from './state-mark.tsx'

const statusMarks: Readonly<Record<WireSubscription['status'], readonly [IconName, string]>> = {
  active: ['m-part', 'acc'],
  paused: ['m-off', 'faint'],
  pending: ['m-guess', 'faint'],
  done: ['m-done', 'good'],
}

export function SubscriptionState({ status }: { status: WireSubscription['status'] }) {
  const [mark, tone] = statusMarks[status]
  return (
    <StateMark mark={mark} tone={tone}>
      {words.value.subscriptions.statuses[status]}
    </StateMark>
  )
}

/** The original title last: of a long one the end may be cut. */
export function subscriptionFacts(one: WireSubscription): string {
  const text = words.value.subscriptions
  return [
    one.media_type === 'movie' ? text.film : text.season(one.season),
    one.year,
    one.original_title === one.title ? undefined : one.original_title,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

export function ProgressMeter({ progress }: { progress: WireSubscription['progress'] }) {
  const { held, downloading } = progressShares(progress)
  return (
    <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="tr" width="100" height="4" />
      <rect class="g" width={held.toFixed(1)} height="4" />
      <rect class="f" x={held.toFixed(1)} width={downloading.toFixed(1)} height="4" />
    </svg>
  )
}

/** What matters most of it, in one line. */
export function Standing({ subscription: { media_type, progress } }: { subscription: WireSubscription }) {
  const text = words.value.subscriptions
  const isFilm = media_type === 'movie'
  const standing = standingOf(progress)
  if (standing.kind === 'missing') {
    const { count, numbers } = standing
    const named = text.listed(numbers)
    return (
      <span class="bad">
        {isFilm
          ? text.missingFilm
          : named === ''
            ? text.missingMany(count)
            : count === 1
              ? text.missingOne(named)
              : text.missingSome(named)}
      </span>
    )
  }
  if (standing.kind === 'downloading') {
    return <span class="muted">{isFilm ? text.downloadingFilm : text.downloading(standing.count)}</span>
  }
  if (standing.kind === 'held') return <span class="faint">{isFilm ? text.filmHeld : text.allHeld}</span>
  return <span class="faint">{text[standing.kind]}</span>
}

/** Why the server did not do what was asked of it. */
export function SubscriptionFailureNote({ failure }: { failure: ApiFailure }) {
  return (
    <Note tone="bad" role="alert">
      {failure.reason === undefined ? <FailureWords failure={failure} /> : <ReasonWords reason={failure.reason} />}
    </Note>
  )
}
