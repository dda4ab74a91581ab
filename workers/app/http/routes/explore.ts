import { failWith, succeed } from '#shared/kernel/result.ts'
import { explore, getProviderImage, type WireExploreItem } from '../../contract/explore.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { Title } from '../../core/title.ts'
import { busyRetrySeconds, explorePagesMax, imageSeconds } from '../../limits.ts'
import type { TitleStanding } from '../../ports/subscriptions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { metadataFailure } from '../metadata-failure.ts'
import { replyPicture } from '../reply-picture.ts'

export function exploreRoutes(deps: Pick<AppDeps, 'catalogue' | 'titleStandings'>): BoundRoute[] {
  return [
    bind(explore, async ({ query: { kind, list, q: words = '', page } }) => {
      const isSearch = list === 'search'
      if (isSearch && words === '')
        return failWith(failure('invalid_argument', { kind: 'field.missing', field: 'q', part: 'parameter' }))
      if (isSearch && page > 1)
        return failWith(
          failure('invalid_argument', {
            kind: 'field.wrong',
            field: 'page',
            part: 'parameter',
            rule: { kind: 'rule.one_page' },
          }),
        )
      const found = await deps.catalogue.titles({ mediaType: kind, list, words: isSearch ? words : '', page })
      if (!found.ok) return failWith(metadataFailure(found.failure))
      const { titles, totalPages } = found.value
      const standings = await deps.titleStandings.of(
        kind,
        titles.map(({ id }) => id),
      )
      return succeed({
        body: {
          items: titles.map((title) => toWireItem(title, standings.get(title.id))),
          page,
          total_pages: isSearch ? 1 : Math.min(Math.max(totalPages, 1), explorePagesMax),
        },
      })
    }),
    bind(getProviderImage, async ({ params, headers }) => {
      const image = await deps.catalogue.image(params.size, params.file)
      return image.ok
        ? succeed(replyPicture(image.value, imageSeconds, headers))
        : failWith(imageFailure(image.failure))
    }),
  ]
}

function imageFailure(fault: ServiceFault): Failure {
  const reason = serviceReason('images', fault)
  if (fault.kind === 'busy') return { ...failure('busy_slots', reason), retryAfterSeconds: busyRetrySeconds }
  return failure(fault.kind === 'not_found' ? 'not_found' : 'upstream', reason)
}

function toWireItem(title: Title, standing: TitleStanding | undefined): WireExploreItem {
  return {
    id: title.id,
    media_type: title.mediaType,
    title: title.title,
    ...(title.originalTitle === '' ? {} : { original_title: title.originalTitle }),
    ...(title.year === undefined ? {} : { year: title.year }),
    ...(title.overview === '' ? {} : { overview: title.overview }),
    ...(title.posterPath === undefined ? {} : { poster_path: title.posterPath }),
    ...(title.voteAverage === undefined ? {} : { vote_average: title.voteAverage }),
    in_library: standing?.inLibrary ?? false,
    subscribed: standing?.subscriptionId !== undefined,
    ...(standing?.subscriptionId === undefined ? {} : { subscription_id: standing.subscriptionId }),
  }
}
