import type { Reason, SiteError } from './reason.ts'

/** Every sentence once, and whom it holds for. */
export function searchGroups(
  sites: readonly SiteError[],
  say: (reason: Reason) => string,
): { readonly said: string; readonly names: readonly string[] }[] {
  const groups = Map.groupBy(sites, ({ reason }) => say(reason))
  return [...groups].map(([said, some]) => ({ said, names: some.map(({ site }) => site) }))
}
