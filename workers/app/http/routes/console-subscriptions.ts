import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addConsoleSubscription,
  addQualityProfile,
  changeConsoleSubscription,
  changeQualityProfile,
  getConsoleSubscription,
  listQualityProfiles,
  type QualityProfileBody,
  removeQualityProfile,
  type WireConsoleSubscription,
  type WireQualityProfile,
} from '../../contract/console-subscriptions.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { QualityProfile } from '../../core/media/quality-profile.ts'
import type { Say } from '../../core/reason/say.ts'
import { qualityProfilesMax } from '../../limits.ts'
import type { QualityProfileChange, Subscription } from '../../ports/subscriptions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import {
  hasProfile,
  noProfile,
  noSubscription,
  type SubscribeDeps,
  subscribe,
  toWireSubscription,
} from '../subscribe.ts'

const noDownloader = wrongField('downloader_id', { kind: 'none', what: 'downloader' })
const profileRefusals = {
  not_found: failure('not_found', { kind: 'none', what: 'profile' }),
  name_taken: wrongField('name', { kind: 'name_taken', what: 'profile' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'profile', limit: qualityProfilesMax }),
  is_default: failure('invalid_argument', { kind: 'profile_is_default' }),
} as const

export function consoleSubscriptionRoutes(deps: SubscribeDeps & Pick<AppDeps, 'downloaders'>): BoundRoute[] {
  const { subscriptions, qualityProfiles } = deps

  async function hasDownloader(id: number): Promise<boolean> {
    return id === 0 || (await deps.downloaders.list()).some((downloader) => downloader.id === id)
  }

  return [
    bind(listQualityProfiles, async () =>
      succeed({ body: { items: (await qualityProfiles.list()).map(toWireProfile) } }),
    ),
    bind(addQualityProfile, async ({ body }) => answerStored(await qualityProfiles.add(toChange(body)))),
    bind(changeQualityProfile, async ({ params, body }) =>
      answerStored(await qualityProfiles.update(params.id, toChange(body))),
    ),
    bind(removeQualityProfile, async ({ params }) => {
      const profile = (await qualityProfiles.list()).find(({ id }) => id === params.id)
      const removed = await qualityProfiles.remove(params.id)
      if (!removed.ok) return failWith(profileRefusals[removed.failure])
      return succeed({ body: { ok: true as const }, audited: { names: [profile?.name ?? ''] } })
    }),
    bind(getConsoleSubscription, async ({ params, say }) => answerFound(await subscriptions.read(params.id), say)),
    bind(addConsoleSubscription, async ({ body: { source, downloader_id: downloaderId = 0, ...body }, say }) => {
      if (!(await hasDownloader(downloaderId))) return failWith(noDownloader)
      const added = await subscribe(deps, { ...body, source, downloaderId })
      return added.ok ? answerFound(added.value, say) : added
    }),
    bind(changeConsoleSubscription, async ({ params, body, say }) => {
      const { profile_id: profileId, upgrade, downloader_id: downloaderId } = body
      if (!(await hasProfile(deps, profileId))) return failWith(noProfile)
      if (!(await hasDownloader(downloaderId))) return failWith(noDownloader)
      return answerFound(await subscriptions.change(params.id, { profileId, upgrade, downloaderId }), say)
    }),
  ]
}

function answerFound(found: Subscription | undefined, say: Say): Result<{ body: WireConsoleSubscription }, Failure> {
  if (found === undefined) return failWith(noSubscription)
  const { profileId, downloaderId } = found.record
  return succeed({ body: { ...toWireSubscription(found, say), profile_id: profileId, downloader_id: downloaderId } })
}

function answerStored(
  stored: Result<QualityProfile, keyof typeof profileRefusals>,
): Result<{ body: WireQualityProfile }, Failure> {
  return stored.ok ? succeed({ body: toWireProfile(stored.value) }) : failWith(profileRefusals[stored.failure])
}

function toChange(body: QualityProfileBody): QualityProfileChange {
  return {
    name: body.name,
    isDefault: body.default,
    resolutions: body.resolutions,
    sources: body.sources,
    requiredWords: body.required_words,
    refusedWords: body.refused_words,
    minGib: body.min_gib,
    maxGib: body.max_gib,
    minSeeders: body.min_seeders,
    freeOnly: body.free_only,
    ...(body.unknown_end === undefined ? {} : { unknownEnd: body.unknown_end }),
    refuseHr: body.refuse_hr,
    sites: body.sites,
  }
}

function toWireProfile(profile: QualityProfile): WireQualityProfile {
  return {
    id: profile.id,
    name: profile.name,
    default: profile.isDefault,
    resolutions: [...profile.resolutions],
    sources: [...profile.sources],
    required_words: [...profile.requiredWords],
    refused_words: [...profile.refusedWords],
    min_gib: profile.minGib,
    max_gib: profile.maxGib,
    min_seeders: profile.minSeeders,
    free_only: profile.freeOnly,
    ...(profile.unknownEnd === undefined ? {} : { unknown_end: profile.unknownEnd }),
    refuse_hr: profile.refuseHr,
    sites: [...profile.sites],
  }
}
