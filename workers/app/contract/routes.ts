/** Every endpoint of the App API. */

import { type FeatureGroup, featureGroups } from '../core/vocabulary.ts'
import { listDownloaders } from './downloaders.ts'
import { getMeta } from './meta.ts'
import type { RouteDeclaration } from './route.ts'
import { actOnTorrents, listTorrents } from './torrents.ts'

export const appRouteDeclarations: readonly RouteDeclaration[] = [getMeta, listTorrents, actOnTorrents, listDownloaders]

/** What `/meta` lists: the groups that have an endpoint in this version. */
export const servedFeatures: readonly FeatureGroup[] = featureGroups.filter((group) =>
  appRouteDeclarations.some(({ feature }) => feature === group),
)
