/** Which figures of an account are told, and which of those are doubtful. */
import type { WireOverview } from '../../contract/overview.ts'
import type { WireSiteUser } from '../../contract/sites.ts'

type Doubt = NonNullable<WireSiteUser['doubtful']>[number]
export type TodayChange = WireOverview['today']['sites'][number]
export type FigureName = Doubt['figure']

export function isTold(user: WireSiteUser, name: FigureName): boolean {
  return user[name] !== undefined && user.unknown?.includes(name) !== true
}

export function doubtOf(user: WireSiteUser, name: FigureName): Doubt['rule'] | undefined {
  return user.doubtful?.find(({ figure }) => figure === name)?.rule
}

/** Since the day before; undefined where that is not known. */
export function changeOf(
  today: TodayChange | undefined,
  name: 'uploaded' | 'downloaded' | 'bonus',
): number | undefined {
  return today === undefined || today.unknown?.includes(name) === true ? undefined : today[name]
}

/** Undefined where it is not told, or not to be believed: to sort by, and to remind of. */
export function knownFigure(user: WireSiteUser | undefined, name: FigureName): number | undefined {
  if (user === undefined || !isTold(user, name) || doubtOf(user, name) !== undefined) return undefined
  const value = user[name]
  return typeof value === 'number' ? value : undefined
}
