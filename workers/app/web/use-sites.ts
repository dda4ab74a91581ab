/** The sites as they are set up, and what each is called. */
import { useComputed } from '@preact/signals'
import type { WireConsoleSite } from '../contract/console-sites.ts'
import { fetchSiteSettings } from './api/sites.ts'
import { siteLabel } from './model/site-board.ts'
import { type Resource, useResource } from './resource.ts'

interface Sites {
  readonly settings: Resource<{ readonly items: readonly WireConsoleSite[] }>
  readonly byName: ReadonlyMap<string, WireConsoleSite>
  /** What the owner calls it; what rows name it by where it is gone, or the sites could not be read. */
  readonly labelOf: (name: string) => string
  /** Nothing more is to be learnt about names at the moment. */
  readonly areRead: boolean
}

export function useSites(): Sites {
  const settings = useResource('site-settings', fetchSiteSettings)
  const byName = new Map(settings.state.value.data?.items.map((one) => [one.name, one]))
  const labelOf = (name: string) => {
    const site = byName.get(name)
    return site === undefined ? name : siteLabel(site)
  }
  return { settings, byName, labelOf, areRead: isRead(settings) }
}

function isRead({ state }: Sites['settings']): boolean {
  const { data, failure } = state.value
  return data !== undefined || failure !== undefined
}

/** Rows that name sites, once the sites are read: else they stand there under other names for a moment. */
export function useNamed<T>(of: Resource<T>, { settings }: Sites): Resource<T> {
  const state = useComputed(() => {
    const own = of.state.value
    return isRead(settings) ? own : { ...own, data: undefined }
  })
  return { ...of, state }
}
