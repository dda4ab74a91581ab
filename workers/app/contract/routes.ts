/** Every endpoint of the App API. */

import { type FeatureGroup, featureGroups } from '../core/vocabulary.ts'
import {
  cancelRun,
  createConversation,
  decideConfirmation,
  deleteConversation,
  followConversation,
  getAssistantStatus,
  getConversation,
  listConversations,
  sendMessage,
} from './assistant.ts'
import { listBrushTasks } from './brush.ts'
import { explainTorrent, listDecisions, listRemovals } from './decisions.ts'
import { listDownloaders } from './downloaders.ts'
import { explore, getProviderImage } from './explore.ts'
import { listMediaHistory } from './media.ts'
import { tellOwner } from './messages.ts'
import { getMeta } from './meta.ts'
import { getOverview } from './overview.ts'
import { pushTorrent } from './push.ts'
import { explainPush } from './push-why.ts'
import type { RouteDeclaration } from './route.ts'
import { search } from './search.ts'
import { carryOutSitePlan, makeSitePlan, readSitePlan, stopSitePlan } from './site-plans.ts'
import { getSiteHistory, getSiteStanding, listSeedingDuties, listSiteFigures } from './site-watch.ts'
import { attendSite, getFavicon, listSites } from './sites.ts'
import {
  addSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  searchSubscription,
  setSubscriptionStatus,
} from './subscriptions.ts'
import { listTasks } from './tasks.ts'
import { listTemplates, previewTemplate, resetTemplate, saveTemplate } from './templates.ts'
import { beginTorrentRun, listTorrentRuns, readTorrentRun, stopTorrentRun, undoTorrentRun } from './torrent-runs.ts'
import { actOnTorrents, addTorrent, changeTorrents, groupTorrents, listTorrents, readTorrent } from './torrents.ts'
import { getUpdates } from './updates.ts'

export const appRouteDeclarations: readonly RouteDeclaration[] = [
  getMeta,
  getOverview,
  listSites,
  attendSite,
  getFavicon,
  getSiteStanding,
  listSiteFigures,
  getSiteHistory,
  listSeedingDuties,
  readSitePlan,
  makeSitePlan,
  carryOutSitePlan,
  stopSitePlan,
  listTorrents,
  groupTorrents,
  actOnTorrents,
  changeTorrents,
  addTorrent,
  readTorrent,
  listTorrentRuns,
  beginTorrentRun,
  readTorrentRun,
  stopTorrentRun,
  undoTorrentRun,
  listDownloaders,
  search,
  pushTorrent,
  explainPush,
  explainTorrent,
  listDecisions,
  listRemovals,
  listTasks,
  listBrushTasks,
  listMediaHistory,
  listSubscriptions,
  getSubscription,
  addSubscription,
  setSubscriptionStatus,
  searchSubscription,
  deleteSubscription,
  explore,
  getProviderImage,
  getUpdates,
  listTemplates,
  previewTemplate,
  saveTemplate,
  resetTemplate,
  tellOwner,
  getAssistantStatus,
  listConversations,
  createConversation,
  getConversation,
  deleteConversation,
  sendMessage,
  cancelRun,
  followConversation,
  decideConfirmation,
]

/** What `/meta` lists of a host that serves these: the groups that have an endpoint. */
export function featuresOf(served: readonly RouteDeclaration[]): FeatureGroup[] {
  return featureGroups.filter((group) => served.some(({ feature }) => feature === group))
}
