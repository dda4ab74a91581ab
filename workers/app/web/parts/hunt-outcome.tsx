/** What came of searches and pushes for a subscription, in the page's language where the sentences are known ones. */
import { Fragment } from 'preact'
import { type HuntPart, huntOutcomeOf, huntReasonOf } from '../model/hunt-outcome.ts'
import { mediaReasonOf } from '../model/media-reasons.ts'
import type { TorrentSpan } from '../model/subscription-facts.ts'
import { words } from '../words/words.ts'
import { MediaReasonWords } from './media-reason.tsx'
import { PushReasonWords } from './push-reason.tsx'
import { SiteFaultWords, sentenceGap } from './site-parts.tsx'

export function spanText(span: TorrentSpan): string {
  const text = words.value.subscriptions
  if (span.kind === 'whole') return text.wholeSeason
  return span.kind === 'one' ? text.episode(span.number) : text.episodesFrom(span.from, span.to)
}

/** Why a torrent was not pushed, or is lost, or how it came into the library. */
export function HuntReason({ reason }: { reason: string }) {
  const known = huntReasonOf(reason)
  if (known !== undefined) return <>{words.value.huntReasons[known]}</>
  if (mediaReasonOf(reason) !== undefined) return <MediaReasonWords message={reason} />
  return <PushReasonWords message={reason} />
}

function Part({ part }: { part: HuntPart }) {
  const { hunt, huntRefusals, huntSayings, subscriptions } = words.value
  switch (part.kind) {
    case 'pushed':
      return <>{hunt.pushed(part.count, subscriptions.listed(part.covers.map(spanText)))}</>
    case 'notPushed':
      return (
        <>
          {hunt.notPushed(part.covers === undefined ? '' : spanText(part.covers))}
          {sentenceGap()}
          <HuntReason reason={part.reason} />
        </>
      )
    case 'nothingFits':
      return (
        <>
          {hunt.nothingFits(
            part.total,
            subscriptions.listed(part.refused.map(({ count, why }) => hunt.refused(count, huntRefusals[why]))),
          )}
        </>
      )
    case 'failedAt':
      return (
        <>
          {hunt.at(part.where)}
          {sentenceGap()}
          <SiteFaultWords message={part.reason} short />
        </>
      )
    default:
      return <>{huntSayings[part.kind]}</>
  }
}

export function HuntOutcome({ message }: { message: string }) {
  const parts = huntOutcomeOf(message)
  if (parts === undefined) return <span lang="zh-CN">{message}</span>
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={JSON.stringify(part)}>
          {at === 0 ? null : ' · '}
          <Part part={part} />
        </Fragment>
      ))}
    </>
  )
}
