import { unixSeconds } from '#shared/kernel/clock.ts'
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
  tryQualityProfile,
  type WireConsoleSubscription,
  type WireProfileTrial,
  type WireQualityProfile,
} from '../../contract/console-subscriptions.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { QualityProfile } from '../../core/media/quality-profile.ts'
import { byName, isSameChoice, type TriedRelease, tryProfile } from '../../core/media/try-profile.ts'
import type { Say } from '../../core/reason/say.ts'
import {
  dryRunChangesShown,
  feedItemSeconds,
  picksMax,
  profileTrialSubscriptionsMax,
  qualityProfilesMax,
} from '../../limits.ts'
import type { QualityProfileChange, Subscription } from '../../ports/subscriptions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { hasDownloader, noDownloader } from '../known-downloader.ts'
import {
  hasProfile,
  noProfile,
  noSubscription,
  type SubscribeDeps,
  subscribe,
  toWireSubscription,
} from '../subscribe.ts'

const profileRefusals = {
  not_found: failure('not_found', { kind: 'none', what: 'profile' }),
  name_taken: wrongField('name', { kind: 'name_taken', what: 'profile' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'profile', limit: qualityProfilesMax }),
  is_default: failure('invalid_argument', { kind: 'profile_is_default' }),
} as const

export function consoleSubscriptionRoutes(deps: SubscribeDeps & Pick<AppDeps, 'downloaders' | 'feeds'>): BoundRoute[] {
  const { subscriptions, qualityProfiles } = deps

  async function trialOf(id: number | undefined, tried: QualityProfileChange): Promise<WireProfileTrial> {
    const sinceUnix = unixSeconds(deps.clock) - feedItemSeconds
    const [past, all, profiles] = await Promise.all([
      deps.feeds.candidates(sinceUnix),
      subscriptions.list({}),
      qualityProfiles.list(),
    ])
    const usual = profiles.find(({ isDefault }) => isDefault)
    const releases = byName(past.map(({ candidate }) => candidate))
    const users = all.flatMap(({ record }) => {
      const named = profiles.find((profile) => profile.id === record.profileId)
      const stored = named ?? usual
      const isUser = stored !== undefined && (stored.id === id || (named === undefined && tried.isDefault))
      return isUser ? [{ record, stored, found: releases.of(record) }] : []
    })
    const asked = users.filter(({ found }) => found.length > 0).slice(0, profileTrialSubscriptionsMax)
    const results = await Promise.all(
      asked.map(async ({ record: { id: of }, stored, found }) => {
        const detail = await subscriptions.read(of)
        if (detail === undefined) return []
        const { record, progress, episodes } = detail
        const choices = tryProfile({ title: record, progress, episodes, releases: found }, { stored, tried }, picksMax)
        return [{ record, choices }]
      }),
    )
    const compared = results.flat()
    return {
      judged: past.length,
      subscriptions: users.length,
      compared: compared.length,
      stored: figuresOf(compared.map(({ choices }) => choices.stored)),
      tried: figuresOf(compared.map(({ choices }) => choices.tried)),
      changed: compared
        .filter(({ choices }) => !isSameChoice(choices))
        .slice(0, dryRunChangesShown)
        .map(({ record: { id: of, title, season }, choices }) => ({
          id: of,
          title,
          season,
          stored: choices.stored.map(toWireTried),
          tried: choices.tried.map(toWireTried),
        })),
    }
  }

  return [
    bind(listQualityProfiles, async () =>
      succeed({ body: { items: (await qualityProfiles.list()).map(toWireProfile) } }),
    ),
    bind(addQualityProfile, async ({ body }) => answerStored(await qualityProfiles.add(toChange(body)))),
    bind(tryQualityProfile, async ({ body }) => succeed({ body: await trialOf(body.id, toChange(body.profile)) })),
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
      if (!(await hasDownloader(deps, downloaderId))) return failWith(noDownloader)
      const added = await subscribe(deps, { ...body, source, downloaderId })
      return added.ok ? answerFound(added.value, say) : added
    }),
    bind(changeConsoleSubscription, async ({ params, body, say }) => {
      const { profile_id: profileId, upgrade, downloader_id: downloaderId } = body
      if (!(await hasProfile(deps, profileId))) return failWith(noProfile)
      if (!(await hasDownloader(deps, downloaderId))) return failWith(noDownloader)
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

function figuresOf(choices: readonly (readonly TriedRelease[])[]): WireProfileTrial['stored'] {
  const all = choices.flat()
  return { chosen: all.length, size: all.reduce((sum, { candidate }) => sum + (candidate.sizeBytes ?? 0), 0) }
}

function toWireTried({ candidate: { site, title, sizeBytes }, against }: TriedRelease) {
  return {
    site,
    title,
    ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
    ...(against === undefined ? {} : { against }),
  }
}
