/** One module a view, read when it is first needed. `View` gets the address; everything else it asks for itself. */
import type { ComponentType } from 'preact'
import type { Route, ViewName } from '../model/address.ts'

export type View = ComponentType<{ route: Route }>

const modules: Record<ViewName, () => Promise<View>> = {
  home: () => import('./home.tsx').then((module) => module.HomeView),
  symbol: () => import('./symbol.tsx').then((module) => module.SymbolView),
  file: () => import('./file.tsx').then((module) => module.FileView),
  flow: () => import('./flow.tsx').then((module) => module.FlowView),
  map: () => import('./map.tsx').then((module) => module.MapView),
  entries: () => import('./entries.tsx').then((module) => module.EntriesView),
  dead: () => import('./dead-code.tsx').then((module) => module.DeadCodeView),
  routes: () => import('./routes.tsx').then((module) => module.RoutesView),
  trails: () => import('./trails.tsx').then((module) => module.TrailsView),
}

const loaded = new Map<ViewName, View>()

export function loadedView(name: ViewName): View | undefined {
  return loaded.get(name)
}

export async function loadView(name: ViewName): Promise<View> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const view = await modules[name]()
  loaded.set(name, view)
  return view
}

/** The other views, once the first one stands: the next click then waits for nothing but its data. */
export async function loadAll(): Promise<void> {
  for (const name of Object.keys(modules) as ViewName[]) await loadView(name)
}
