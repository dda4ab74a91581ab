/** Every endpoint of the App API, in the order of the interface document. */
import { listDownloaders } from './downloaders.ts'
import { getMeta } from './meta.ts'
import type { RouteDeclaration } from './route.ts'
import { actOnTorrents, listTorrents } from './torrents.ts'

export const appRouteDeclarations: readonly RouteDeclaration[] = [getMeta, listTorrents, listDownloaders, actOnTorrents]
