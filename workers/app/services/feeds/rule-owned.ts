import { pushTo } from '#shared/kernel/push-to.ts'
import { takenKey } from '../../core/media/choose-releases.ts'
import { areHeld, type HeldTitle, isPartThere, titlesIn } from '../../core/media/held-release.ts'
import { isOwned } from '../../core/media/owned-release.ts'
import { byName as releasesByName } from '../../core/media/try-profile.ts'
import { asksFor, type Candidate, type OwnedSource } from '../../core/rules/filter-rule.ts'
import { calledNamesMax } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { OwnedFacts, RuleOwned } from '../../ports/feeds.ts'
import type { LibraryFacts } from '../../ports/library.ts'
import type { PushRecords } from '../../ports/pushes.ts'
import type { Subscriptions } from '../../ports/subscriptions.ts'

export interface OwnedDeps {
  readonly subscriptions: Pick<Subscriptions, 'list' | 'read'>
  readonly library: Pick<LibraryFacts, 'called'>
  readonly records: Pick<PushRecords, 'called'>
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'called'>
}

interface Holdings {
  readonly places: readonly (readonly [OwnedSource, readonly HeldTitle[]])[]
  /** A downloader did not say what it has. */
  readonly isSilent: boolean
}

/**
 * Asked once for all that turned up. A subscription knows the episodes of its season; of everything else the names say it
 * that the library, the downloaders and the pushes have. Who says that it is there is believed.
 */
export function createRuleOwned(deps: OwnedDeps): RuleOwned {
  return async (rules, candidates, isPast) => {
    if (candidates.length === 0 || !rules.some(({ rule }) => asksFor('owned', rule))) return () => ({})
    const wanted = new Map(candidates.map((one) => [takenKey(one), titlesIn(one.title, one.subtitle)]))
    const [subscribed, holdings] = await Promise.all([
      ownedBySubscriptions(deps.subscriptions, candidates),
      holdingsOf(
        deps,
        [...new Set([...wanted.values()].flat().flatMap(({ names }) => names))].slice(0, calledNamesMax),
      ),
    ])
    const heldOf = byName(holdings)
    return (one) => {
      const titles = wanted.get(takenKey(one)) ?? []
      const told = subscribed.get(takenKey(one))
      const held = heldOf(titles)
      if (isPast === undefined) return factsOf(titles, told, held)
      // A subscription does not tell what its episodes came of: of then it says only what is not there even now.
      return {
        ...factsOf(titles, told === true ? undefined : told, besides(titles[0]?.release, held)),
        isOwnedNow: true,
      }
    }
  }
}

/** Of each place what has a name in common with what is wanted. */
function byName({ places, isSilent }: Holdings): (wanted: readonly HeldTitle[]) => Holdings {
  const named = places.map(([from, held]) => {
    const titles = new Map<string, HeldTitle[]>()
    for (const one of held) for (const name of one.names) pushTo(titles, name, one)
    return [from, titles] as const
  })
  return (wanted) => {
    const names = new Set(wanted.flatMap((one) => one.names))
    return {
      isSilent,
      places: named.map(([from, titles]) => [from, [...new Set([...names].flatMap((name) => titles.get(name) ?? []))]]),
    }
  }
}

/** Without what came of that release itself. */
function besides(release: string | undefined, { places, isSilent }: Holdings): Holdings {
  return { isSilent, places: places.map(([from, held]) => [from, held.filter((one) => one.release !== release)]) }
}

function factsOf(wanted: readonly HeldTitle[], subscribed: boolean | undefined, holdings: Holdings): OwnedFacts {
  const all = holdings.places.flatMap(([, held]) => held)
  const said: readonly (readonly [OwnedSource | undefined, boolean | undefined])[] = [
    ['subscription', subscribed],
    ...holdings.places.map(([from, held]) => [from, areHeld(wanted, held)] as const),
    // What one place lacks another may have.
    [undefined, areHeld(wanted, all)],
  ]
  const told = said.find(([, is]) => is === true) ?? said.find(([, is]) => is === false)
  if (told !== undefined) return { isOwned: told[1], ownedFrom: told[0] }
  if (wanted.length === 0) return { ownedLack: 'unnamed' }
  if (isPartThere(wanted, all)) return { ownedLack: 'partly' }
  return { ownedLack: holdings.isSilent ? 'silent' : 'unheard' }
}

async function holdingsOf(
  { library, records, downloaders, fleet }: OwnedDeps,
  names: readonly string[],
): Promise<Holdings> {
  if (names.length === 0) return { places: [], isSilent: false }
  const [inLibrary, titles, pushed] = await Promise.all([
    library.called(names),
    downloaders.targets().then((targets) => Promise.all(targets.map((target) => fleet.called(target, names)))),
    records.called(names),
  ])
  const named = (list: readonly string[]) => list.flatMap((title) => titlesIn(title))
  return {
    places: [
      ['library', inLibrary],
      ['downloader', named(titles.flatMap((told) => (told.ok ? told.value : [])))],
      ['pushes', named(pushed)],
    ],
    isSilent: titles.some(({ ok }) => !ok),
  }
}

/** Of the titles only those are read that something is called by. */
async function ownedBySubscriptions(
  subscriptions: OwnedDeps['subscriptions'],
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, boolean>> {
  const owned = new Map<string, boolean>()
  const named = releasesByName(candidates)
  for (const { record } of await subscriptions.list({})) {
    const releases = named.of(record)
    const detail = releases.length === 0 ? undefined : await subscriptions.read(record.id)
    if (detail === undefined) continue
    for (const release of releases) {
      const is = isOwned(release, record, detail)
      if (is !== undefined) owned.set(takenKey(release), is)
    }
  }
  return owned
}
