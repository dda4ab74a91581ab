import type { WireOverview } from '../../contract/overview.ts'

export type ChangingFigure = 'uploaded' | 'downloaded' | 'bonus'

/** Whether any of the sites tells of the figure what changed; true without sites, where nothing can. */
export function isTold(sites: WireOverview['today']['sites'], figure: ChangingFigure): boolean {
  return sites.length === 0 || sites.some(({ unknown }) => unknown?.includes(figure) !== true)
}
