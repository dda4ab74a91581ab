/**
 * Every view by its name in the address. Most come with the page: in one module they compress far better than apart.
 */
import type { ComponentType } from 'preact'
import { later } from '../components/later.tsx'
import type { Route, ViewName } from '../model/address.ts'
import { EntriesView } from './entries.tsx'
import { FileView } from './file.tsx'
import { HomeView } from './home.tsx'
import { SymbolView } from './symbol.tsx'

const further = (name: 'accuracy' | 'change' | 'dead' | 'files' | 'routes' | 'text' | 'trails') =>
  later(() => import('./further.ts').then((views) => views.further[name]))

const pictures = (name: 'flow' | 'map') => later(() => import('./pictures.ts').then((views) => views.pictures[name]))

/** It gets the address; everything else it asks for itself. */
export const views: Readonly<Record<ViewName, ComponentType<{ route: Route }>>> = {
  home: HomeView,
  symbol: SymbolView,
  file: FileView,
  files: further('files'),
  flow: pictures('flow'),
  map: pictures('map'),
  entries: EntriesView,
  dead: further('dead'),
  routes: further('routes'),
  trails: further('trails'),
  text: further('text'),
  change: further('change'),
  accuracy: further('accuracy'),
}
