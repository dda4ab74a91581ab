/** Every view by its name in the address. They come with the page: in one module they compress far better than apart. */
import type { ComponentType } from 'preact'
import type { Route, ViewName } from '../model/address.ts'
import { DeadCodeView } from './dead-code.tsx'
import { EntriesView } from './entries.tsx'
import { FileView } from './file.tsx'
import { FlowView } from './flow.tsx'
import { HomeView } from './home.tsx'
import { MapView } from './map.tsx'
import { RoutesView } from './routes.tsx'
import { SymbolView } from './symbol.tsx'
import { TrailsView } from './trails.tsx'

/** It gets the address; everything else it asks for itself. */
export const views: Readonly<Record<ViewName, ComponentType<{ route: Route }>>> = {
  home: HomeView,
  symbol: SymbolView,
  file: FileView,
  flow: FlowView,
  map: MapView,
  entries: EntriesView,
  dead: DeadCodeView,
  routes: RoutesView,
  trails: TrailsView,
}
