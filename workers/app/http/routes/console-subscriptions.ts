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
import { type Failure, failure } from '../../core/failure.ts'
import type { QualityProfile } from '../../core/media/quality-profile.ts'
import { qualityProfilesMax } from '../../limits.ts'
import type { AppDeps, QualityProfileChange, Subscription } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import {
  hasProfile,
  noProfile,
  noSubscription,
  type SubscribeDeps,
  subscribe,
  toWireSubscription,
} from '../subscribe.ts'

const noDownloader = failure('invalid_argument', '字段 downloader_id 不正确：没有这个下载器')
const profileRefusals = {
  not_found: failure('not_found', '没有这个画质方案'),
  name_taken: failure('invalid_argument', '字段 name 不正确：已有同名的画质方案'),
  too_many: failure('invalid_argument', `最多只能有 ${qualityProfilesMax} 个画质方案`),
  is_default: failure('invalid_argument', '这是默认的画质方案，请先把另一个方案设为默认'),
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
      const removed = await qualityProfiles.remove(params.id)
      return removed.ok ? succeed({ body: { ok: true as const } }) : failWith(profileRefusals[removed.failure])
    }),
    bind(getConsoleSubscription, async ({ params }) => answerFound(await subscriptions.read(params.id))),
    bind(addConsoleSubscription, async ({ body: { source, downloader_id: downloaderId = 0, ...body } }) => {
      if (!(await hasDownloader(downloaderId))) return failWith(noDownloader)
      const added = await subscribe(deps, { ...body, source, downloaderId })
      return added.ok ? answerFound(added.value) : added
    }),
    bind(changeConsoleSubscription, async ({ params, body }) => {
      const { profile_id: profileId, upgrade, downloader_id: downloaderId } = body
      if (!(await hasProfile(deps, profileId))) return failWith(noProfile)
      if (!(await hasDownloader(downloaderId))) return failWith(noDownloader)
      return answerFound(await subscriptions.change(params.id, { profileId, upgrade, downloaderId }))
    }),
  ]
}

function answerFound(found: Subscription | undefined): Result<{ body: WireConsoleSubscription }, Failure> {
  if (found === undefined) return failWith(noSubscription)
  const { profileId, downloaderId } = found.record
  return succeed({ body: { ...toWireSubscription(found), profile_id: profileId, downloader_id: downloaderId } })
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
    refuse_hr: profile.refuseHr,
    sites: [...profile.sites],
  }
}
