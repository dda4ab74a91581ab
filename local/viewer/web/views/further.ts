/** Every view but the first in one module: together they compress to far less than one by one. */
import { DeadCodeView } from './dead-code.tsx'
import { EntriesView } from './entries.tsx'
import { FileView } from './file.tsx'
import { FlowView } from './flow.tsx'
import { MapView } from './map.tsx'
import { RoutesView } from './routes.tsx'
import { SymbolView } from './symbol.tsx'
import { TrailsView } from './trails.tsx'

export const furtherViews = {
  symbol: SymbolView,
  file: FileView,
  flow: FlowView,
  map: MapView,
  entries: EntriesView,
  dead: DeadCodeView,
  routes: RoutesView,
  trails: TrailsView,
}
