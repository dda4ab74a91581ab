/** Which figures of an account are told, and which of those are doubtful. */
import type { WireSiteUser } from '../../contract/sites.ts'

type Doubt = NonNullable<WireSiteUser['doubtful']>[number]
export type FigureName = Doubt['figure']

export function isTold(user: WireSiteUser, name: FigureName): boolean {
  return user[name] !== undefined && user.unknown?.includes(name) !== true
}

export function doubtOf(user: WireSiteUser, name: FigureName): Doubt['rule'] | undefined {
  return user.doubtful?.find(({ figure }) => figure === name)?.rule
}

/** Undefined where it is not told, or not to be believed: to sort by, and to remind of. */
export function knownFigure(user: WireSiteUser | undefined, name: FigureName): number | undefined {
  if (user === undefined || !isTold(user, name) || doubtOf(user, name) !== undefined) return undefined
  const value = user[name]
  return typeof value === 'number' ? value : undefined
}
